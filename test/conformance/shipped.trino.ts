import { describe, expect, test } from 'vitest';
import { BUILT_IN_ENDPOINTS } from '../../src/bootstrap/built-in-endpoints.ts';
import type { ParameterValue } from '../../src/sql/compile.ts';
import { CONSUMER_QUERIES } from './cases/consumer-queries.ts';
import { SHIPPED_EVENTS } from './cases/shipped-events.ts';
import { type QueryOptions, type Row, twoEngines } from './support/two-engines.ts';

const NOW = Date.UTC(2026, 1, 3, 10);

const endpoint = (name: string): string => {
  const found = BUILT_IN_ENDPOINTS.find((shipped) => shipped.name === name);
  if (found === undefined) throw new Error(`no endpoint ${name} is shipped`);
  return found.query;
};

const texts = (values: Readonly<Record<string, string>>): Record<string, ParameterValue> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { type: 'string', value }]),
  );

describe('the shipped endpoints', () => {
  const engines = twoEngines({
    table: 'shipped',
    arrivals: [{ at: NOW, events: SHIPPED_EVENTS }],
  });

  /** The rows of both engines, which are one: there are some, and they are the same. */
  async function rows(sql: string, options: QueryOptions): Promise<readonly Row[]> {
    const trino = await engines().onTrino(sql, options);
    expect(trino).toEqual(await engines().onDuckdb(sql, options));
    expect(trino).not.toEqual([]);
    return trino;
  }

  const all = endpoint('logs.all');
  const acme = texts({ project: 'acme' });

  test('logs.all by itself', async () => {
    const newest = await rows(all, { parameters: acme });
    expect(newest.map(({ id }) => id)).toContain('edge-39');
    expect(newest.map(({ id }) => id)).not.toContain('edge-08');
  });

  test.each(CONSUMER_QUERIES)('logs.all: $what', async ({ sql }) => {
    await rows(all, { consumerSql: sql, parameters: acme });
  });

  test('logs.all between two times', async () => {
    const parameters = texts({
      project: 'acme',
      iso_timestamp_start: '2026-02-03T09:10:00.000Z',
      iso_timestamp_end: '2026-02-03T09:30:00Z',
    });
    const consumerSql = 'select id, timestamp from edge_logs order by timestamp, id';
    const times = (await rows(all, { consumerSql, parameters })).map(({ timestamp }) => timestamp);
    expect(Number(times[0])).toBeGreaterThan(Date.UTC(2026, 1, 3, 9, 10) * 1000);
    expect(Number(times.at(-1))).toBeLessThanOrEqual(Date.UTC(2026, 1, 3, 9, 30) * 1000);
  });

  test('logs.all with a parameter of the consumer', async () => {
    await rows(all, {
      consumerSql:
        'select count(*) as n, @project as project from postgres_logs where project = @project',
      parameters: acme,
    });
  });

  test.each(['minutely', 'hourly', 'daily'])('usage.api-counts, %s', async (interval) => {
    const parameters = texts({ project: 'P\\.example|p.example\\.test/', interval });
    const counts = await rows(endpoint('usage.api-counts'), { parameters });
    expect(Object.keys(counts[0] ?? {})).toEqual([
      'timestamp',
      'total_rest_requests',
      'total_storage_requests',
      'total_auth_requests',
      'total_realtime_requests',
    ]);
  });

  test.each(['minutely', 'hourly', 'daily'])('usage.queries, %s', async (interval) => {
    const usage = await rows(endpoint('usage.queries'), { parameters: texts({ interval }) });
    expect(usage.some(({ cache_hit_ratio: ratio }) => typeof ratio === 'number')).toBe(true);
  });
});
