/**
 * The rooms of `src` and what each may import, from the bottom up: a room uses those below it, and none
 * of them knows it. `lambdas` and `lib` stand on top of all. The map in CONTRIBUTING.md says what is in
 * each.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  cost: ['platform'],
  scale: ['platform', 'cost'],
  access: ['platform'],
  catalog: ['platform', 'access'],
  lake: ['platform', 'access', 'catalog'],
  sql: ['platform', 'catalog', 'lake'],
  ingest: ['platform', 'access', 'catalog', 'lake', 'sql'],
  query: ['platform', 'cost', 'access', 'catalog', 'lake', 'sql'],
  alerts: ['platform', 'access', 'catalog', 'lake', 'sql', 'query'],
  bootstrap: ['platform', 'access', 'catalog', 'lake', 'sql', 'query', 'alerts'],
  http: ['platform', 'access', 'catalog', 'lake', 'sql', 'ingest', 'query', 'alerts'],
  local: [
    'platform',
    'access',
    'catalog',
    'lake',
    'sql',
    'ingest',
    'query',
    'alerts',
    'bootstrap',
    'http',
  ],
  // A client of the HTTP interface, and of AWS: what it checks it must not share.
  verify: ['platform', 'lake'],
};

/** Files in one folder, subfolders aside. */
export const MAX_FILES = 25;

/** The binder's folders call each other as the grammar does: a subquery is an expression, and has a FROM. */
export const RECURSIVE: readonly string[] = [
  'src/sql/bind',
  'src/sql/bind/expr',
  'src/sql/bind/from',
  'src/sql/bind/select',
];
