/**
 * The rooms of `src` and what each may import, from the bottom up: a room uses those below it, and none
 * of them knows it. `lambdas` and `lib` stand on top of all. The map in CONTRIBUTING.md says what is in
 * each.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  cost: ['platform'],
  access: ['platform'],
  catalog: ['platform', 'access'],
  lake: ['platform', 'access', 'catalog'],
  sql: ['platform', 'catalog', 'lake'],
  lql: ['platform', 'catalog', 'lake', 'sql'],
  ingest: ['platform', 'access', 'catalog', 'lake', 'sql', 'lql'],
  query: ['platform', 'cost', 'access', 'catalog', 'lake', 'sql', 'lql'],
  bootstrap: ['platform', 'access', 'catalog', 'lake', 'sql', 'query'],
  http: ['platform', 'access', 'catalog', 'lake', 'sql', 'lql', 'ingest', 'query'],
  local: [
    'platform',
    'access',
    'catalog',
    'lake',
    'sql',
    'lql',
    'ingest',
    'query',
    'bootstrap',
    'http',
  ],
};

/** Files in one folder, subfolders aside. */
export const MAX_FILES = 25;

/** What is not in order yet, to be taken out of here line by line. */
export const EXCEPTIONS = {
  /** Rooms that stand outside of the table. */
  rooms: [] as readonly string[],
  /** Imports that go upwards. */
  upwards: ['src/sql/compile.ts -> src/lql/lql.ts'] as readonly string[],
  /** Folders that are in a cycle. */
  cycles: [
    'src/lql',
    'src/sql',
    'src/sql/bind',
    'src/sql/functions',
    'src/sql/parse',
    'src/sql/print',
    'src/sql/regex',
    'src/sql/zones',
  ] as readonly string[],
  /** Folders that are too full. */
  full: ['src/sql/bind', 'src/sql/functions'] as readonly string[],
};
