import { type Golden, one } from './golden.ts';

const AB = `with a as (select 1 as k, 2 as x union all select 2, 3),
  b as (select 5 as y, 1 as k union all select 6, 7)`;
const ABC = `with a as (select 1 as k union all select 2), b as (select 2 as k union all select 3),
  c as (select 3 as k union all select 4)`;

/** Joins: the columns that USING merges, and which names parentheses see. */
export const JOINS: readonly Golden[] = [
  one(
    'LEFT JOIN USING has the key once, before all other columns',
    `${AB} select * from a left join b using (k) order by k`,
    ...[
      { k: 1, x: 2, y: 5 },
      { k: 2, x: 3, y: null },
    ],
  ),
  one(
    'RIGHT JOIN USING has the key of the right side',
    `${AB} select * from a right join b using (k) order by k`,
    ...[
      { k: 1, x: 2, y: 5 },
      { k: 7, x: null, y: 6 },
    ],
  ),
  one(
    'FULL JOIN USING has the key of either side; with a name before it, it is that side alone',
    `${AB} select k, a.k as ak, b.k as bk from a full join b using (k) order by k`,
    ...[
      { k: 1, ak: 1, bk: 1 },
      { k: 2, ak: 2, bk: null },
      { k: 7, ak: null, bk: 7 },
    ],
  ),
  one(
    'a chain of FULL JOINs matches the key that was found so far',
    `${ABC} select k, a.k as ak, b.k as bk, c.k as ck from a full join b using (k) full join c using (k) order by k`,
    ...[
      { k: 1, ak: 1, bk: null, ck: null },
      { k: 2, ak: 2, bk: 2, ck: null },
      { k: 3, ak: null, bk: 3, ck: 3 },
      { k: 4, ak: null, bk: null, ck: 4 },
    ],
  ),
  one(
    'a star over a chain of joins has the key once',
    `${ABC} select * from a full join b using (k) full join c using (k) order by k`,
    ...[{ k: 1 }, { k: 2 }, { k: 3 }, { k: 4 }],
  ),
  one(
    'several keys, in the order of USING',
    'select * from (select 1 as a, 2 as b, 3 as c) join (select 2 as b, 1 as a, 4 as d) using (b, a)',
    { b: 2, a: 1, c: 3, d: 4 },
  ),
  one(
    'a star of one side still has its key',
    `${AB} select b.* from a left join b using (k) order by a.k`,
    ...[
      { y: 5, k: 1 },
      { y: null, k: null },
    ],
  ),
  one('EXCEPT takes the merged key out', `${AB} select * except (k) from a join b using (k)`, {
    x: 2,
    y: 5,
  }),
  one(
    'numbers of both types meet as FLOAT64',
    'select k from (select 1 as k) as a full join (select 1.5 as k) as b using (k) order by k',
    ...[{ k: 1 }, { k: 1.5 }],
  ),
  one(
    'offsets of two arrays pair their elements',
    "select x, y, offset from unnest(['a', 'b']) as x with offset join unnest(['c', 'd', 'e']) as y with offset using (offset) order by offset",
    ...[
      { x: 'a', y: 'c', offset: 0 },
      { x: 'b', y: 'd', offset: 1 },
    ],
  ),
  one(
    'an element of an array is a column by its name',
    'select * from (select 2 as k, [1, 2] as list) as a join unnest(a.list) as k using (k)',
    { k: 2, list: [1, 2] },
  ),
  one(
    'a merged key of sources is grouped, counted and ordered by',
    `select id, count(a.id) as a, count(e.id) as e, count(id) as n from \`app-logs\` as a
       full join \`edge.logs\` as e using (id) where id in ('a1', 'e1') group by id order by id`,
    ...[
      { id: 'a1', a: 1, e: 0, n: 1 },
      { id: 'e1', a: 0, e: 1, n: 1 },
    ],
  ),
  one(
    'RIGHT JOIN unnests what only the right side has',
    'select id, m from (select 1 as id) right join unnest([1, 2]) as m on id = m order by m',
    ...[
      { id: 1, m: 1 },
      { id: null, m: 2 },
    ],
  ),
  one(
    'objects are unnested in parentheses on the right of LEFT JOIN',
    `select a.id as a, e.id as e, er.method, em.request.path from \`app-logs\` as a
       left join (\`edge.logs\` as e cross join unnest(metadata) as em cross join unnest(em.request) as er)
         on e.id = replace(a.id, 'a', 'e') and er.method = 'GET'
       order by a.id`,
    ...[
      { a: 'a1', e: 'e1', method: 'GET', path: '/rest/v1/users' },
      { a: 'a2', e: 'e2', method: 'GET', path: '/rest/v1/users' },
      { a: 'a3', e: null, method: null, path: null },
    ],
  ),
  one(
    'an event without the object is no match of LEFT JOIN',
    `select l.id, e.id as e from (select 'e1' as id union all select 'e5') as l
       left join (\`edge.logs\` as e cross join unnest(e.metadata) as m) on e.id = l.id order by l.id`,
    ...[
      { id: 'e1', e: 'e1' },
      { id: 'e5', e: null },
    ],
  ),
  one(
    'an object on the left of RIGHT JOIN drops no row of the right side',
    `select r.id, m.request.method from \`edge.logs\` as e cross join unnest(e.metadata) as m
       right join (select 'e1' as id union all select 'e5') as r on e.id = r.id order by r.id`,
    ...[
      { id: 'e1', method: 'GET' },
      { id: 'e5', method: null },
    ],
  ),
  one(
    'objects on both sides of FULL JOIN',
    `select l.id, e.id as e, m.request.method from (select 'e1' as id union all select 'e5') as l
       full join (\`edge.logs\` as e cross join unnest(e.metadata) as m) on e.id = l.id
       where coalesce(l.id, e.id) in ('e1', 'e2', 'e5') order by coalesce(l.id, e.id)`,
    ...[
      { id: 'e1', e: 'e1', method: 'GET' },
      { id: null, e: 'e2', method: 'GET' },
      { id: 'e5', e: null, method: null },
    ],
  ),
  one(
    'in parentheses a bare name is what stands there',
    `with l as (select 1 as id, [9] as list), e as (select 1 as id, [1, 2] as list)
     select m from l left join (e cross join unnest(list) as m) on l.id = e.id order by m`,
    ...[{ m: 1 }, { m: 2 }],
  ),
  one(
    'a condition between an unnested object and a table holds in EXISTS too',
    `select id from \`edge.logs\` as t where exists (
       select 1 from unnest(t.metadata.request) as r join (select 'POST' as method) as o on o.method = r.method)`,
    { id: 'e3' },
  ),
];
