import type { Golden } from './golden.ts';

/** Fields of several types, with a source whose events show each as it is wanted. */

const FROM = 'from `typed.logs` as t cross join unnest(t.metadata) as m';

export const FIELD_TYPES: readonly Golden[] = [
  {
    what: 'integers are integers',
    sql: `select m.status as status, m.status + 1 as next ${FROM} order by m.status`,
    rows: [
      { status: 99, next: 100 },
      { status: 200, next: 201 },
      { status: 1000, next: 1001 },
    ],
  },
  {
    what: 'the largest integer is no text',
    sql: `select min(m.status) as low, max(m.status) as high, sum(m.status) as sum ${FROM}`,
    rows: [{ low: 99, high: 1000, sum: 1299 }],
  },
  {
    what: 'integers are compared as such',
    sql: `select t.id ${FROM} where m.status >= 200 and m.status in (200, 1000, 5) order by t.id`,
    rows: [{ id: 't2' }, { id: 't3' }],
  },
  {
    what: 'integers group',
    sql: `select m.level as level, count(*) as n ${FROM} group by level order by level desc`,
    rows: [
      { level: 50, n: 1 },
      { level: 30, n: 2 },
    ],
  },
  {
    what: 'integers through a CTE',
    sql: `with logs as (select m.level as level ${FROM}) select max(level) / 2 as half from logs`,
    rows: [{ half: 25 }],
  },
  {
    what: 'integers in a JSON object through a CTE',
    sql: `with logs as (select t.metadata from \`typed.logs\` as t)
       select max(m.status) as high from logs cross join unnest(metadata) as m where m.status < 1000`,
    rows: [{ high: 200 }],
  },
  {
    what: 'every digit of an integer counts',
    sql: `select cast(high as string) as high from (select max(p.sql_state_code) as high ${FROM} cross join unnest(m.parsed) as p)`,
    rows: [{ high: '9007199254740993' }],
  },
  {
    what: 'fractions are numbers, whole ones among them',
    sql: `select m.path as x, m.path > 1 as over_one ${FROM} order by m.path`,
    rows: [
      { x: -0.5, over_one: false },
      { x: 1, over_one: false },
      { x: 2.25, over_one: true },
    ],
  },
  {
    what: 'booleans are conditions',
    sql: `select t.id, m.event_type as flag ${FROM} where m.event_type or not m.event_type order by t.id`,
    rows: [
      { id: 't1', flag: true },
      { id: 't2', flag: false },
    ],
  },
  {
    what: 'of several types each value stays what it is',
    sql: `select t.id, m.msg as msg ${FROM} order by t.id`,
    rows: [
      { id: 't1', msg: 'seven' },
      { id: 't2', msg: 7 },
      { id: 't3', msg: true },
    ],
  },
  {
    what: 'of several types one is read as its use asks for',
    sql: `select t.id, m.msg > 6 as n, m.msg = 'seven' as s, cast(m.msg as string) as text ${FROM} order by t.id`,
    rows: [
      { id: 't1', n: null, s: true, text: 'seven' },
      { id: 't2', n: true, s: false, text: '7' },
      { id: 't3', n: null, s: false, text: 'true' },
    ],
  },
  {
    what: 'texts are texts, digits or not',
    sql: `select max(m.execution_time_ms) as high, max(concat(m.execution_time_ms, ' ms')) as shown ${FROM}`,
    rows: [{ high: '9', shown: '9 ms' }],
  },
  {
    what: 'what no event has shown fits any use',
    sql: `select count(*) as n, max(m.function_id) as high, sum(m.function_id) as sum ${FROM} where m.function_id is null or m.function_id > 5 or m.function_id = 'x'`,
    rows: [{ n: 3, high: null, sum: null }],
  },
];
