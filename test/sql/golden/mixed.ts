import { type Golden, one } from './golden.ts';

/** Paths at which events have shown values of several JSON types. */

const FROM = 'from `mixed.logs` as t cross join unnest(t.metadata) as m';

export const MIXED: readonly Golden[] = [
  one(
    'a path of scalars is each of them',
    `select t.id, m.value ${FROM} order by t.id`,
    { id: 'm1', value: 1 },
    { id: 'm2', value: '2' },
    { id: 'm3', value: true },
    { id: 'm5', value: 1e21 },
  ),
  one(
    'and is read as its use asks for',
    `select t.id, m.value > 0.5 as n, m.value in ('2', 'true') as s, cast(m.value as int64) as i, cast(m.flag as bool) as b ${FROM} where m.value is not null order by t.id`,
    { id: 'm1', n: true, s: false, i: 1, b: true },
    { id: 'm2', n: true, s: true, i: 2, b: true },
    { id: 'm3', n: null, s: true, i: null, b: null },
    { id: 'm5', n: true, s: false, i: null, b: null },
  ),
  one(
    'through a CTE, too',
    `with l as (select id, metadata from \`mixed.logs\`)
     select l.id, m.value, m.flag = 'true' as f from l cross join unnest(l.metadata) as m where m.value is not null order by l.id`,
    { id: 'm1', value: 1, f: true },
    { id: 'm2', value: '2', f: true },
    { id: 'm3', value: true, f: false },
    { id: 'm5', value: 1e21, f: null },
  ),
  one(
    'and where two CTEs become one',
    `with l as (select id, m.value ${FROM} union all select id, m.tag ${FROM} where m.tag = 'null')
     select id, value from l where id < 'm3' order by id, value`,
    { id: 'm1', value: '1' },
    { id: 'm2', value: '2' },
    { id: 'm2', value: 'null' },
  ),
  one(
    'groups as text',
    `select cast(m.flag as string) as flag, count(*) as n ${FROM} group by 1 order by 1`,
    { flag: null, n: 1 },
    { flag: 'no', n: 1 },
    { flag: 'true', n: 2 },
  ),
  one(
    'texts stay as they are, also those that look like JSON',
    `select t.id, m.tag, length(m.tag) as n, to_json_string(m.tag) as json ${FROM} where m.tag is not null order by t.id`,
    { id: 'm1', tag: '{"a":1}', n: 7, json: '"{\\"a\\":1}"' },
    { id: 'm2', tag: 'null', n: 4, json: '"null"' },
    { id: 'm3', tag: '"q" \\ \n é 😀', n: 11, json: '"\\"q\\" \\\\ \\n é 😀"' },
  ),
  one(
    'a scalar, an object or a list is shown as what it is',
    `select t.id, m.shape ${FROM} order by t.id`,
    { id: 'm1', shape: 'round' },
    { id: 'm2', shape: { kind: 'square' } },
    { id: 'm3', shape: ['a', { kind: 'b' }] },
    { id: 'm5', shape: null },
  ),
  one(
    'and read as a scalar only where it is one',
    `select t.id, cast(m.shape as string) as shape, upper(m.deep) as deep ${FROM} order by t.id`,
    { id: 'm1', shape: 'round', deep: null },
    { id: 'm2', shape: null, deep: null },
    { id: 'm3', shape: null, deep: 'NONE' },
    { id: 'm5', shape: null, deep: null },
  ),
  one(
    'a list of texts and objects is unnested with the objects that stand alone',
    `select t.id, s.kind ${FROM} cross join unnest(m.shape) as s order by t.id, s.kind`,
    { id: 'm2', kind: 'square' },
    { id: 'm3', kind: null },
    { id: 'm3', kind: 'b' },
  ),
  one(
    'an object is unnested where it is one',
    `select t.id, d.n ${FROM} cross join unnest(m.deep) as d order by t.id`,
    { id: 'm1', n: 1 },
    { id: 'm2', n: 2.5 },
  ),
  one(
    'or is NULL in a left join',
    `select t.id, d.n ${FROM} left join unnest(m.deep) as d order by t.id`,
    { id: 'm1', n: 1 },
    { id: 'm2', n: 2.5 },
    { id: 'm3', n: null },
    { id: 'm5', n: null },
  ),
  one(
    'the place in a list is no field of an object',
    `select t.id, json_value(m.shape, '$[0]') as first ${FROM} order by t.id`,
    { id: 'm1', first: null },
    { id: 'm2', first: null },
    { id: 'm3', first: 'a' },
    { id: 'm5', first: null },
  ),
  one(
    'top-level fields are read alike',
    'select id, level, cast(level as string) as text from `mixed.logs` order by id',
    { id: 'm1', level: 5, text: '5' },
    { id: 'm2', level: 'warn', text: 'warn' },
    { id: 'm3', level: { name: 'error' }, text: null },
    { id: 'm4', level: null, text: null },
    { id: 'm5', level: null, text: null },
  ),
  one(
    'metadata that is no object has no fields',
    "select id, metadata, json_value(metadata, '$.tag') as tag from `mixed.logs` where id = 'm4'",
    { id: 'm4', metadata: 'just text', tag: null },
  ),
  one(
    'JSON functions find the same',
    "select id, json_value(metadata, '$.value') as v, json_query(metadata, '$.deep') as deep from `mixed.logs` where id < 'm4' order by id",
    { id: 'm1', v: '1', deep: { n: 1 } },
    { id: 'm2', v: '2', deep: { n: 2.5 } },
    { id: 'm3', v: 'true', deep: 'none' },
  ),
];
