import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
import type { QueryLogRecord } from '../../../src/query/usage/query-log-record.ts';
import { Warmer } from '../../../src/query/warming/warmer.ts';
import { cacheTable, freshEndpoint, startProcess, TestTime } from '../support.ts';

const table = cacheTable();

/** A process that keeps records, and the endpoint it serves. */
function start(changes: Parameters<typeof freshEndpoint>[0] = {}) {
  const time = new TestTime();
  const records: QueryLogRecord[] = [];
  const queryLog = { record: async (record: QueryLogRecord) => void records.push(record) };
  const process = startProcess(table, time, undefined, undefined, { queryLog });
  return { time, records, of: freshEndpoint(changes), ...process };
}

const COST = { bytes_scanned: 1_000, cost_usd: 0, queue_ms: 20, engine_ms: 300 };

describe('the record of a call', () => {
  test('has what its run cost, and of a hit the age of the rows', async () => {
    const { time, records, of, call } = start();
    await call(of);
    time.advance(30);
    await call(of);

    const common = {
      endpoint: of.name,
      endpoint_token: of.token,
      language: 'none',
      origin: 'call',
      status_code: 200,
      rows: 1,
      compile_ms: 0,
      decode_ms: 0,
    };
    expect(records).toEqual([
      { ...common, cache: 'miss', age_seconds: 0, ...COST },
      { ...common, cache: 'hit', age_seconds: 30 },
    ]);
  });

  test('names the key and the language of the caller', async () => {
    const { records, of, runner } = start({ sandboxable: true });

    await runner.run(of, { input: { lql: 'c:count(*)' }, redact: false, keyId: 'key' });

    expect(records).toMatchObject([{ key_id: 'key', language: 'lql' }]);
  });

  test('has the error of a call that was refused', async () => {
    const { records, of, call } = start({ query: 'select @n from events', sandboxable: true });

    await expect(call(of, { sql: ' ' })).rejects.toThrow();

    expect(records).toMatchObject([
      { language: 'sql', status_code: 400, error_code: 'sql_empty', origin: 'call' },
    ]);
  });

  test('says that rows are stale', async () => {
    const { time, records, of, call, engine } = start();
    await call(of);
    time.advance(60);
    engine.answerWith(async () => {
      throw new ServiceError('query_failed', 502, 'The engine failed.');
    });

    await call(of);

    expect(records[1]).toMatchObject({ status_code: 200, cache: 'stale', age_seconds: 60 });
    expect(records[1]).not.toHaveProperty('bytes_scanned');
  });

  test('has what a run cost once, however many callers waited for it', async () => {
    const { records, of, call, engine } = start();
    const run = engine.hold();
    const calls = [call(of), call(of), call(of)];
    await engine.started(1);

    run.end([['7']]);
    await Promise.all(calls);

    expect(records).toHaveLength(3);
    expect(records.filter((record) => record.bytes_scanned !== undefined)).toHaveLength(1);
  });
});

describe('the record of a run that outlived its caller', () => {
  test.each([600, 0])('has what it cost, once, with a cache duration of %i', async (duration) => {
    const { time, records, call, engine } = start();
    const of = freshEndpoint({ cache_duration_seconds: duration });
    const run = engine.hold();
    const early = expect(call(of)).rejects.toMatchObject({ code: 'query_timeout' });
    await engine.started(1);
    time.advance(25);
    await early;

    run.end([['7']]);
    await call(of);

    expect(records).toMatchObject([
      { origin: 'call', status_code: 504 },
      { origin: 'call', status_code: 200, cache: duration > 0 ? 'miss' : 'off', ...COST },
    ]);
    expect(engine.queries).toHaveLength(1);
  });
});

describe('the record of a warmer run', () => {
  test('has what it cost', async () => {
    const { time, records, of, call, results, warm, runner, logger } = start({
      proactive_requerying_seconds: 20,
    });
    await call(of);
    time.advance(30);
    const registry = { listEndpoints: async () => [of] };

    await new Warmer({ registry, runner, results, warm, clock: time, logger }).runOnce();

    expect(records[1]).toEqual({
      endpoint: of.name,
      endpoint_token: of.token,
      language: 'none',
      origin: 'warmer',
      status_code: 200,
      cache: 'miss',
      age_seconds: 0,
      rows: 1,
      compile_ms: 0,
      decode_ms: 0,
      ...COST,
    });
  });

  test('has the error of one that failed', async () => {
    const { time, records, of, call, engine, results, warm, runner, logger } = start({
      proactive_requerying_seconds: 20,
    });
    await call(of);
    time.advance(30);
    engine.answerWith(async () => {
      throw new ServiceError('query_failed', 502, 'The engine failed.');
    });
    const registry = { listEndpoints: async () => [of] };

    await new Warmer({ registry, runner, results, warm, clock: time, logger }).runOnce();

    expect(records[1]).toMatchObject({ origin: 'warmer', status_code: 502 });
  });
});
