import { beforeAll, describe, expect, test } from 'vitest';
import type { Key } from './support/client.ts';
import { onChain, shared, startService } from './support/server.ts';
import { startAt } from './support/stopped-clock.ts';

/** A time of day at which no hour and no minute begins. */
const NOW = '2026-02-03T14:25:36.789Z';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('usage.queries', () => {
  const service = shared((dataDirectory) => startAt(NOW, dataDirectory));

  /** A record as the service writes it, so long before this moment. */
  const record = (agoMs: number, fields: object) => ({
    timestamp: new Date(Date.parse(NOW) - agoMs).toISOString(),
    metadata: {
      endpoint: 'logs.all',
      endpoint_token: '22222222-2222-4222-8222-222222222222',
      key_id: 'a',
      language: 'sql',
      origin: 'call',
      status_code: 200,
      ...fields,
    },
  });
  /** Without the calls of this file itself, which the deployed service records too. */
  const asked = async (parameters: Record<string, string>) => {
    const rows = await service().sluice.rows('usage.queries', parameters);
    return rows.filter(({ endpoint }) => endpoint !== 'usage.queries');
  };
  const run = (engine_ms: number) => ({
    cache: 'miss',
    rows: 3,
    bytes_scanned: 25_000_000,
    cost_usd: 0.000125,
    engine_ms,
  });

  beforeAll(async () => {
    const { sluice } = service();
    await sluice.send('sluice.queries', [
      record(5 * MINUTE, run(100)),
      record(5 * MINUTE, run(300)),
      record(5 * MINUTE, { ...run(200), origin: 'warmer', key_id: undefined }),
      record(5 * MINUTE, { cache: 'hit', age_seconds: 4 }),
      record(5 * MINUTE, { cache: 'hit', age_seconds: 9 }),
      record(5 * MINUTE, { cache: 'stale', age_seconds: 900 }),
      record(5 * MINUTE, { status_code: 400, error_code: 'missing_parameter' }),
      record(5 * MINUTE, { status_code: 504, error_code: 'query_timeout' }),
      record(5 * MINUTE, { ...run(60_000), origin: 'left' }),
      record(5 * MINUTE, { endpoint: 'uncached', key_id: 'b', ...run(50), cache: 'off' }),
      record(2 * HOUR, run(10)),
      record(20 * DAY, run(20)),
      record(31 * DAY, run(30)),
    ]);
  });

  const NOTHING = {
    calls: 0,
    warmer_runs: 0,
    alert_runs: 0,
    refused: 0,
    errors: 0,
    cache_hits: 0,
    cache_stale: 0,
    cache_misses: 0,
    cache_hit_ratio: null,
  };
  const one = { ...NOTHING, calls: 1, bytes_scanned: 25_000_000, cost_usd: 0.000125 };
  const lately = (timestamp: string) => [
    {
      timestamp,
      endpoint: 'logs.all',
      key_id: 'a',
      calls: 7,
      warmer_runs: 0,
      alert_runs: 0,
      refused: 1,
      errors: 1,
      cache_hits: 2,
      cache_stale: 1,
      cache_misses: 2,
      cache_hit_ratio: 0.4,
      bytes_scanned: 75_000_000,
      cost_usd: 0.000375,
      p50_engine_ms: 300,
      p95_engine_ms: 60_000,
    },
    {
      ...one,
      timestamp,
      endpoint: 'logs.all',
      key_id: null,
      calls: 0,
      warmer_runs: 1,
      p50_engine_ms: 200,
      p95_engine_ms: 200,
    },
    { ...one, timestamp, endpoint: 'uncached', key_id: 'b', p50_engine_ms: 50, p95_engine_ms: 50 },
  ];
  const earlier = (timestamp: string, engineMs: number) => ({
    ...one,
    timestamp,
    endpoint: 'logs.all',
    key_id: 'a',
    cache_misses: 1,
    cache_hit_ratio: 0,
    p50_engine_ms: engineMs,
    p95_engine_ms: engineMs,
  });

  test('says who ran what in the last 60 minutes', async () => {
    const rows = await asked({ interval: 'minutely' });

    expect(rows).toEqual(lately('2026-02-03T14:20:00'));
  });

  test('says so for the last 24 hours', async () => {
    const rows = await asked({ interval: 'hourly' });

    expect(rows).toEqual([earlier('2026-02-03T12:00:00', 10), ...lately('2026-02-03T14:00:00')]);
  });

  test('says so for the last 30 days', async () => {
    const rows = await asked({
      interval: 'daily',
      sql: 'select timestamp, endpoint, count(*) as n from queries group by 1, 2 order by 1, 2',
    });

    const day = (text: string) => Date.parse(`${text}T00:00:00Z`) * 1_000;
    expect(rows).toEqual([
      { timestamp: day('2026-01-14'), endpoint: 'logs.all', n: 1 },
      { timestamp: day('2026-02-03'), endpoint: 'logs.all', n: 10 },
      { timestamp: day('2026-02-03'), endpoint: 'uncached', n: 1 },
    ]);
  });

  test('can be asked by cache status', async () => {
    const rows = await asked({
      interval: 'minutely',
      sql: `select cache, count(*) as n, sum(cost_usd) as usd from queries
        where cache is not null and endpoint != 'usage.queries' group by cache order by cache`,
    });

    expect(rows).toEqual([
      { cache: 'hit', n: 2, usd: null },
      { cache: 'miss', n: 4, usd: 0.0005 },
      { cache: 'off', n: 1, usd: 0.000125 },
      { cache: 'stale', n: 1, usd: null },
    ]);
  });

  test('is for keys with its scope', async () => {
    const { sluice } = service();
    const endpoints = (await sluice.call('/api/endpoints')).body as {
      name: string;
      token: string;
    }[];
    const { token } = endpoints.find(({ name }) => name === 'usage.queries') ?? { token: '' };
    const allowed = await sluice.createKey(`query:endpoint:${token}`);
    const other = await sluice.createKey('ingest');

    const ask = (key: Key) => sluice.as(key).query('usage.queries', { interval: 'hourly' });

    expect((await ask(allowed)).status).toBe(200);
    expect((await ask(other)).status).toBe(401);
  });
});

describe('a call of a saved query', () => {
  const service = shared(startService);

  /** Athena bills 10 MB for the smallest query, at $5 for 10^12 bytes. */
  const LEAST_COST_USD = onChain ? 0.00005 : 0;

  const SQL = `select endpoint, key_id, language, origin, status_code, error_code, cache, row_count, cost_usd
               from queries where endpoint = 'counted' order by status_code, cache`;

  test('has its times as numbers', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({ name: 'timed', query: 'select 1 as n' });
    await sluice.rows('timed');

    const [row] = await sluice.rows('usage.queries', {
      interval: 'minutely',
      sql: `select compile_ms, queue_ms, engine_ms, decode_ms from queries where endpoint = 'timed'`,
    });
    const [median] = await sluice.rows('usage.queries', {
      interval: 'minutely',
      sql: `select approx_quantiles(engine_ms, 2)[offset(1)] as engine_ms from queries
        where endpoint = 'timed'`,
    });

    const number = expect.any(Number);
    expect(row).toEqual({
      compile_ms: number,
      queue_ms: number,
      engine_ms: number,
      decode_ms: number,
    });
    expect(median).toEqual({ engine_ms: number });
  });

  test('becomes an event, without its text and its parameters', async () => {
    const { sluice } = service();
    await sluice.createSource('counted-events');
    await sluice.send('counted-events', [{ message: 'a' }, { message: 'b' }]);
    const { token } = await sluice.createEndpoint({
      name: 'counted',
      query: 'with e as (select id from `counted-events`) select count(*) as n from e',
      sandboxable: true,
      cache_duration_seconds: 60,
    });
    const key = await sluice.createKey(`query:endpoint:${token}`);
    const caller = sluice.as(key);
    await caller.rows('counted');
    await caller.rows('counted');
    await caller.query('counted', { sql: "select 'secret' as s, nothing from e" });
    await sluice.as(undefined).query('counted');

    const rows = await sluice.rows('usage.queries', { interval: 'minutely', sql: SQL });

    const common = { endpoint: 'counted', key_id: key.id, origin: 'call' };
    const ok = { ...common, language: 'none', status_code: 200, error_code: null, row_count: 1 };
    expect(rows).toEqual([
      { ...ok, cache: 'hit', cost_usd: null },
      { ...ok, cache: 'miss', cost_usd: LEAST_COST_USD },
      {
        ...common,
        language: 'sql',
        status_code: 400,
        error_code: 'sql_unknown_column',
        cache: null,
        row_count: null,
        cost_usd: null,
      },
    ]);
    await sluice.createEndpoint({
      name: 'records',
      query: 'select t.event_message, t.metadata from `sluice.queries` as t',
    });
    const records = JSON.stringify(await sluice.rows('records'));
    expect(records).toContain('counted 400 sql_unknown_column');
    expect(records).not.toContain('secret');
  });

  test('leaves no event once the source is gone', async () => {
    const { sluice } = service();
    const sources = (await sluice.call('/api/sources')).body as { name: string; token: string }[];
    const { token } = sources.find(({ name }) => name === 'sluice.queries') ?? { token: '' };
    await sluice.createEndpoint({ name: 'quiet', query: 'select 1 as n' });

    await sluice.call(`/api/sources/${token}`, { method: 'DELETE' });

    expect(await sluice.rows('quiet')).toEqual([{ n: 1 }]);
  });
});
