import { describe, expect, test } from 'vitest';
import type { Catalog, CompileInput } from '../../../src/sql/compile.ts';
import { EVENTS } from '../fixtures.ts';
import { sqlBench } from '../support.ts';

const ENDPOINTS: Readonly<Record<string, string>> = {
  'recent.edges': `with all_edges as (select id, project, metadata from \`edge.logs\`)
    select id, metadata from all_edges where project = @project order by id limit 3`,
  'recent.number': 'select count(*) as n from recent.edges',
  loop: 'select id from back',
  back: 'select id from loop',
  'app-logs': "select 'an endpoint' as id",
};

describe('a query over another endpoint', () => {
  const bench = sqlBench(EVENTS);
  const catalog: Catalog = {
    source: (name) => bench.catalog.source(name),
    endpoint: (name) => {
      const sql = ENDPOINTS[name];
      return sql === undefined ? undefined : { sql, catalog };
    },
  };
  const composed = (options: Partial<CompileInput> = {}): Partial<CompileInput> => ({
    catalog,
    parameters: { project: { type: 'string', value: 'alpha' } },
    ...options,
  });

  test('reads its rows as a table, parameters and nested data included', async () => {
    const sql = `select r.id, m.request.method as method from \`recent.edges\` as r
      cross join unnest(r.metadata) as m where r.id > 'e1' order by r.id`;
    expect(await bench.rows(sql, composed())).toEqual([
      { id: 'e2', method: 'GET' },
      { id: 'e3', method: 'POST' },
    ]);
  });

  test('at any depth, and twice in one query', async () => {
    const sql =
      'select (select n from recent.number) as a, (select count(*) from recent.edges) as b';
    expect(await bench.rows(sql, composed())).toEqual([{ a: 3, b: 3 }]);
  });

  test('does not see the names around the place that reads it', async () => {
    const sql =
      'with all_edges as (select 1 as one) select count(*) as n from recent.edges, all_edges';
    expect(await bench.rows(sql, composed())).toEqual([{ n: 3 }]);
  });

  test('a source wins over an endpoint of the same name', async () => {
    expect(await bench.rows('select count(*) as n from `app-logs`', composed())).toEqual([
      { n: 3 },
    ]);
  });

  test('cycles are refused', () => {
    expect(() => bench.compile('select id from loop', composed())).toThrow(/loop reads itself/);
  });

  test('consumers cannot read other endpoints', () => {
    const sql = 'with src as (select 1 as x) select x from src';
    const consumerSql = 'select id from recent.edges';
    expect(() => bench.compile(sql, composed({ consumerSql }))).toThrow(/Table not found in CTE/);
  });
});
