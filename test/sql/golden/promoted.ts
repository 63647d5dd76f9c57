import type { Golden } from './golden.ts';

/**
 * Fields that every deployment promotes, in a source whose events show other types than the columns
 * have. Each has a twin without a column, and both are read alike.
 */

const FROM = 'from `typed.logs` as t cross join unnest(t.metadata) as m';

/** A case for the promoted field and for its twin. */
const both = (
  what: string,
  [promoted, twin]: readonly [string, string],
  sql: (field: string) => string,
  rows: readonly unknown[],
): readonly Golden[] => [
  { what: `${what}: promoted`, sql: sql(`m.${promoted}`), rows },
  { what: `${what}: not promoted`, sql: sql(`m.${twin}`), rows },
];

const STATUS = ['status', 'plain_status'] as const;
const LEVEL = ['level', 'plain_level'] as const;
const FRACTION = ['path', 'plain_path'] as const;
const FLAG = ['event_type', 'plain_event_type'] as const;
const MIXED = ['msg', 'plain_msg'] as const;
const TEXT = ['execution_time_ms', 'plain_execution_time_ms'] as const;
const UNSEEN = ['function_id', 'plain_function_id'] as const;

export const PROMOTED_TYPES: readonly Golden[] = [
  ...both(
    'integers are integers',
    STATUS,
    (f) => `select ${f} as status, ${f} + 1 as next ${FROM} order by ${f}`,
    [
      { status: 99, next: 100 },
      { status: 200, next: 201 },
      { status: 1000, next: 1001 },
    ],
  ),
  ...both(
    'the largest integer is no text',
    STATUS,
    (f) => `select min(${f}) as low, max(${f}) as high, sum(${f}) as sum ${FROM}`,
    [{ low: 99, high: 1000, sum: 1299 }],
  ),
  ...both(
    'integers are compared as such',
    STATUS,
    (f) => `select t.id ${FROM} where ${f} >= 200 and ${f} in (200, 1000, 5) order by t.id`,
    [{ id: 't2' }, { id: 't3' }],
  ),
  ...both(
    'integers group',
    LEVEL,
    (f) => `select ${f} as level, count(*) as n ${FROM} group by level order by level desc`,
    [
      { level: 50, n: 1 },
      { level: 30, n: 2 },
    ],
  ),
  ...both(
    'integers through a CTE',
    LEVEL,
    (f) => `with logs as (select ${f} as level ${FROM}) select max(level) / 2 as half from logs`,
    [{ half: 25 }],
  ),
  ...both(
    'integers in a JSON object through a CTE',
    STATUS,
    (f) =>
      `with logs as (select t.metadata from \`typed.logs\` as t)
       select max(${f}) as high from logs cross join unnest(metadata) as m where ${f} < 1000`,
    [{ high: 200 }],
  ),
  ...both(
    'every digit of an integer counts',
    ['sql_state_code', 'plain_sql_state_code'],
    (f) => `select max(${f.replace('m.', 'p.')}) as high ${FROM} cross join unnest(m.parsed) as p`,
    [{ high: '9007199254740993' }],
  ).map((golden) => ({
    ...golden,
    sql: `select cast(high as string) as high from (${golden.sql})`,
  })),
  ...both(
    'fractions are numbers, whole ones among them',
    FRACTION,
    (f) => `select ${f} as x, ${f} > 1 as over_one ${FROM} order by ${f}`,
    [
      { x: -0.5, over_one: false },
      { x: 1, over_one: false },
      { x: 2.25, over_one: true },
    ],
  ),
  ...both(
    'booleans are conditions',
    FLAG,
    (f) => `select t.id, ${f} as flag ${FROM} where ${f} or not ${f} order by t.id`,
    [
      { id: 't1', flag: true },
      { id: 't2', flag: false },
    ],
  ),
  ...both(
    'of several types each value stays what it is',
    MIXED,
    (f) => `select t.id, ${f} as msg ${FROM} order by t.id`,
    [
      { id: 't1', msg: 'seven' },
      { id: 't2', msg: 7 },
      { id: 't3', msg: true },
    ],
  ),
  ...both(
    'of several types one is read as its use asks for',
    MIXED,
    (f) =>
      `select t.id, ${f} > 6 as n, ${f} = 'seven' as s, cast(${f} as string) as text ${FROM} order by t.id`,
    [
      { id: 't1', n: null, s: true, text: 'seven' },
      { id: 't2', n: true, s: false, text: '7' },
      { id: 't3', n: null, s: false, text: 'true' },
    ],
  ),
  ...both(
    'texts are texts, digits or not',
    TEXT,
    (f) => `select max(${f}) as high, max(concat(${f}, ' ms')) as shown ${FROM}`,
    [{ high: '9', shown: '9 ms' }],
  ),
  ...both(
    'what no event has shown fits any use',
    UNSEEN,
    (f) =>
      `select count(*) as n, max(${f}) as high, sum(${f}) as sum ${FROM} where ${f} is null or ${f} > 5 or ${f} = 'x'`,
    [{ n: 3, high: null, sum: null }],
  ),
];
