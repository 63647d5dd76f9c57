import type { Golden } from './golden.ts';

export const NESTED: readonly Golden[] = [
  {
    what: 'unnest chains over objects, also named like a column of the SELECT',
    sql: `select id, request.method, response.status_code from \`edge.logs\`
            cross join unnest(metadata) as m cross join unnest(m.request) as request
            cross join unnest(m.response) as response order by id limit 2`,
    rows: [
      { id: 'e1', method: 'GET', status_code: 200 },
      { id: 'e2', method: 'GET', status_code: 500 },
    ],
  },
  {
    what: 'cross join drops rows that lack the object',
    sql: 'select count(*) as n from `edge.logs` cross join unnest(metadata) as m',
    rows: [{ n: 4 }],
  },
  {
    what: 'left join keeps them',
    sql: 'select count(*) as n, count(m.request) as r from `edge.logs` left join unnest(metadata) as m on true',
    rows: [{ n: 5, r: 4 }],
  },
  {
    what: 'a list multiplies its row',
    sql: 'select id, s.name, s.ms from `app-logs` cross join unnest(metadata) as m cross join unnest(m.spans) as s order by s.ms',
    rows: [
      { id: 'a1', name: 'db', ms: 12 },
      { id: 'a1', name: 'http', ms: 30.5 },
    ],
  },
  {
    what: 'a list under LEFT JOIN keeps rows without it',
    sql: 'select id, tag from `app-logs` t left join unnest(t.metadata) m left join unnest(m.tags) as tag order by id, tag',
    rows: [
      { id: 'a1', tag: 'blue' },
      { id: 'a1', tag: 'green' },
      { id: 'a2', tag: 'red' },
      { id: 'a3', tag: null },
    ],
  },
  {
    what: 'a correlated path without UNNEST, with offset',
    sql: 'select tag, pos from `app-logs` t, t.metadata.tags as tag with offset as pos order by tag',
    rows: [
      { tag: 'blue', pos: 0 },
      { tag: 'green', pos: 1 },
      { tag: 'red', pos: 0 },
    ],
  },
  {
    what: 'fields of an unnested object without its alias',
    sql: 'select method, status_code from `edge.logs` cross join unnest(metadata) m cross join unnest(m.request) cross join unnest(m.response) order by id limit 1',
    rows: [{ method: 'GET', status_code: 200 }],
  },
  {
    what: 'EXISTS over the elements of lists, of lists of objects, and of objects',
    sql: `select id from \`app-logs\` t
            where exists (select 1 from unnest(t.metadata.tags) as tag where tag like 'b%')
              and exists (select 1 from unnest(t.metadata) m cross join unnest(m.spans) as s where s.ms > 20)
              and not exists (select 1 from unnest(t.metadata.tags) as tag where tag = 'red')
            union all
            select id from \`edge.logs\` e
            where exists (select 1 from unnest(e.metadata) m cross join unnest(m.response) r where r.status_code = 401)
            order by id`,
    rows: [{ id: 'a1' }, { id: 'e3' }],
  },
  {
    what: 'a default of no elements in UNNEST',
    sql: 'select count(*) as n, count(x) as x from `app-logs` t left join unnest(coalesce(t.metadata.tags, [])) as x',
    rows: [{ n: 4, x: 3 }],
  },
  {
    what: 'subscripts: an object is an array of one, a list counts from zero',
    sql: "select metadata[0].request[offset(0)].method as m from `edge.logs` where id = 'e3' union all select metadata.spans[offset(1)].name from `app-logs` where id = 'a1'",
    rows: [{ m: 'POST' }, { m: 'http' }],
  },
  {
    what: 'keys are matched without case when that is unambiguous',
    sql: "select metadata.query_id as q from `app-logs` where id = 'a1'",
    rows: [{ q: 7 }],
  },
  {
    what: 'a path that no event has is NULL',
    sql: "select metadata.nowhere.at.all as x from `edge.logs` where id = 'e1'",
    rows: [{ x: null }],
  },
  {
    what: 'JSON in text',
    sql: `select json_value('{"a": {"b": [1, "two"]}}', '$.a.b[1]') as x, json_query(parse_json('{"a": {"b": 1}}'), '$.a') as y, json_query('{"a": {"b": 1}}', '$.a') as t, json_value('not json', '$.a') as z`,
    rows: [{ x: 'two', y: { b: 1 }, t: '{"b":1}', z: null }],
  },
  {
    what: 'a key is no place in a list, however it is written',
    sql: `select o.\`[0]\` as o, l.\`[0]\` as l, json_value('["x"]', '$[0]') as p, json_value('["x"]', "$['[0]']") as q,
            json_value('{"[0]": "y"}', "$['[0]']") as r
          from (select parse_json('{"[0]": "key"}') as o, parse_json('["element"]') as l)`,
    rows: [{ o: 'key', l: null, p: 'x', q: null, r: 'y' }],
  },
  {
    what: 'a whole row and a STRUCT are objects',
    sql: "select struct(id, level as severity) as s, t as row_ from (select id, level from `app-logs`) as t where id = 'a1'",
    rows: [{ s: { id: 'a1', severity: 'info' }, row_: { id: 'a1', level: 'info' } }],
  },
  {
    what: 'fields of a STRUCT without names are named by their places',
    sql: 'select struct(1, struct(true), 3 as three) as s',
    rows: [{ s: { _field_1: 1, _field_2: { _field_1: true }, three: 3 } }],
  },
];
