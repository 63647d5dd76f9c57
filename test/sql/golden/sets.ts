import { type Golden, one } from './golden.ts';

export const SETS: readonly Golden[] = [
  {
    what: 'UNION ALL with untyped NULL arms, ordered by output',
    sql: "select id, null as level from `edge.logs` where id = 'e1' union all select id, level from `app-logs` where id = 'a2' order by id desc",
    rows: [
      { id: 'e1', level: null },
      { id: 'a2', level: 'error' },
    ],
  },
  {
    what: 'rows of a set operation of which no column is read',
    sql: 'select count(*) as n from (select id from `edge.logs` union all select id from `app-logs`) where exists (select 1 union all select 2)',
    rows: [{ n: 8 }],
  },
  {
    what: 'IN, EXISTS and scalar subqueries',
    sql: `select id, (select max(id) from \`app-logs\`) as last from \`edge.logs\` e
            where id in (select id from \`edge.logs\` where project = 'beta')
              and exists (select 1 from \`app-logs\` a where a.timestamp < e.timestamp)`,
    rows: [{ id: 'e5', last: 'a3' }],
  },
  {
    what: 'joins with ON and USING, and derived tables',
    sql: `select a.id, b.n from (select id, level from \`app-logs\`) a
            join (select level, count(*) as n from \`app-logs\` group by level) b using (level)
            left join \`edge.logs\` c on c.id = a.id order by a.id`,
    rows: [
      { id: 'a1', n: 1 },
      { id: 'a2', n: 1 },
    ],
  },
  {
    what: 'CTEs over CTEs; JSON paths reach through them to the source',
    sql: `with a as (select id, metadata from \`edge.logs\`), b as (select * from a)
            select m.request.method as method from b cross join unnest(metadata) as m where id = 'e3'`,
    rows: [{ method: 'POST' }],
  },
  {
    what: 'a CTE that has the name of a source reads the source',
    sql: "with empty as (select 1 as one), `app-logs` as (select id from `app-logs` where id = 'a1') select id, one from `app-logs`, empty",
    rows: [{ id: 'a1', one: 1 }],
  },
  {
    what: 'DISTINCT, LIMIT and OFFSET',
    sql: 'select distinct project from `edge.logs` order by project desc limit 1 offset 1',
    rows: [{ project: 'alpha' }],
  },
  {
    what: 'scalar subqueries as arguments',
    sql: "select coalesce((select max(id) from `app-logs` where false), 'none') as a, if((select count(*) from `app-logs`) > 2, 'many', 'few') as b, greatest((select 1), (select 2)) as c, concat('<', ((select 'x')), '>') as d",
    rows: [{ a: 'none', b: 'many', c: 2, d: '<x>' }],
  },
  one(
    'the first rows of a UNION ALL in the order of a column that its reader leaves out',
    `with firsts as (
      select 'b' as name, 2 as place union all select 'c', 3 union all select 'a', 1 order by place limit 2
    )
    select name from firsts order by name`,
    { name: 'a' },
    { name: 'b' },
  ),
];
