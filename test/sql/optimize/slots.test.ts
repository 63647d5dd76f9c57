import { describe, expect, test } from 'vitest';
import { EVENTS } from '../fixtures.ts';
import { sqlBench } from '../support.ts';
import { readsOf, SEARCH, SOURCES, VALUES } from './slot-values.ts';

describe('a slot gives what the JSON gives', () => {
  const bench = sqlBench(VALUES);

  test.each(SOURCES)('of %s, whatever they are read as', async (source) => {
    const fromSlots = await bench.rows(readsOf(source));
    const fromJson = await bench.rows(readsOf(source), { catalog: bench.jsonCatalog });

    expect(fromSlots).toEqual(fromJson);
    expect(fromSlots.length).toBeGreaterThan(1);
  });

  test('a text is found among all others', async () => {
    const fromSlots = await bench.rows(SEARCH);
    const fromJson = await bench.rows(SEARCH, { catalog: bench.jsonCatalog });

    expect(fromSlots).toEqual(fromJson);
    expect(fromSlots.length).toBeGreaterThan(25);
  });
});

describe('what a query reads', () => {
  /** More keys than one object has slots for. */
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, `v${i}`]));
  const bench = sqlBench({ ...EVENTS, many: [{ id: 'x', metadata: many }] });
  const columnsOf = (sql: string, read: 'catalog' | 'jsonCatalog' = 'catalog') =>
    bench.compile(sql, { catalog: bench[read] }).scans[0]?.columns ?? [];

  test.each([
    [
      'a field',
      "select m.tag from `mixed.logs` cross join unnest(metadata) as m where m.tag = 'x'",
    ],
    ['a top-level field', 'select upper(level) as x from `mixed.logs`'],
    [
      'of an object',
      'select r.path from `edge.logs` cross join unnest(metadata) m cross join unnest(m.request) r',
    ],
    [
      'of several scalar types',
      'select m.value, m.flag from `mixed.logs` cross join unnest(metadata) m',
    ],
    [
      'an object or a text, as a text',
      "select 1 as x from `mixed.logs` cross join unnest(metadata) m where m.deep = 'none'",
    ],
    [
      'through a CTE',
      'with l as (select metadata from `mixed.logs`) select m.value, m.tag from l cross join unnest(metadata) m',
    ],
    [
      'of a star',
      'with l as (select * from `mixed.logs`) select m.value > 1 as x from l cross join unnest(metadata) m',
    ],
    [
      'by a JSON function',
      "select json_value(metadata, '$.response.status_code') as x from `edge.logs`",
    ],
  ])('no JSON for %s that events have shown', (_what, sql) => {
    expect(columnsOf(sql).filter((name) => name === 'metadata' || name === 'body')).toEqual([]);
    expect(columnsOf(sql).filter((name) => /^s\d{3}$/.test(name))).not.toEqual([]);
    expect(columnsOf(sql, 'jsonCatalog').some((name) => /^s\d{3}$/.test(name))).toBe(false);
  });

  test.each([
    ['a list', 'select m.tags from `app-logs` cross join unnest(metadata) m'],
    ['what is a list at times', 'select m.shape from `mixed.logs` cross join unnest(metadata) m'],
    [
      'a field of a list',
      'select s.name from `app-logs` cross join unnest(metadata) m cross join unnest(m.spans) s',
    ],
    [
      'a field that no event has shown',
      "select json_value(metadata, '$.nothing') as x from `app-logs`",
    ],
    ['a field for which there was no slot', 'select m.k59 from many cross join unnest(metadata) m'],
  ])('the JSON for %s', (_what, sql) => {
    expect(columnsOf(sql)).toContain('metadata');
  });

  test('a field without slot has its value all the same', async () => {
    const sql = 'select m.k0, m.k59 from many cross join unnest(metadata) m';

    expect(await bench.rows(sql)).toEqual([{ k0: 'v0', k59: 'v59' }]);
  });

  test('messages name fields, not slots', () => {
    const sql =
      'select m.tag, count(*) from `mixed.logs` cross join unnest(metadata) m group by m.flag';

    expect(() => bench.compile(sql)).toThrow(/\btag\b/);
  });
});
