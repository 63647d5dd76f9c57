import { type Golden, one, over } from './golden.ts';

/** IN, where it cannot be told. */
export const MEMBERS: readonly Golden[] = [
  over('a list with NULL', '1, 2, null', 'v in (1, null)', [true, null, null]),
  over('not in a list with NULL', '1, 2, null', 'v not in (null, 1)', [false, null, null]),
  over('a list of nothing but NULL', '1, null', 'v in (null)', [null, null]),
  one(
    'a list of what is computed of columns',
    'select countif(d in (d, datetime_add(d, interval 1 month))) = count(*) as t, countif(d in (datetime_add(d, interval 1 month), null)) as f, countif(1 in (null, length(id))) as n from (select id, datetime(timestamp) as d from `edge.logs`) as e',
    { t: true, f: 0, n: 0 },
  ),
  one(
    'elements of an array of each row',
    "select 'a' in unnest(split(v)) as x, cast(null as string) in unnest(split(v)) as n from unnest(['a,b', 'c']) as v with offset as i order by i",
    ...[
      { x: true, n: null },
      { x: false, n: null },
    ],
  ),
  one(
    'a NULL among the elements, and no elements',
    'select 2 in unnest(l) as x, 2 not in unnest(l) as y from (select array_agg(a) as l from unnest([1, null]) as a) as t',
    { x: null, y: null },
  ),
  one(
    'elements of a JSON list',
    "select id from `edge.logs` where '200' in unnest(metadata.response.status_code) order by id",
  ),
];
