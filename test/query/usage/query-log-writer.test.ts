import { describe, expect, test, vi } from 'vitest';
import { slotColumn } from '../../../src/lake/layout/columns.ts';
import { InferredSchema } from '../../../src/lake/schema/inferred-schema.ts';
import { SchemaInference } from '../../../src/lake/schema/schema-inference.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import type { QueryLogRecord } from '../../../src/query/usage/query-log-record.ts';
import { QUERY_LOG_SCHEMA } from '../../../src/query/usage/query-log-schema.ts';
import { QueryLogWriter } from '../../../src/query/usage/query-log-writer.ts';
import { recordingLogger } from '../../http/support.ts';
import { MemoryRegistry } from '../../ingest/support.ts';
import { source, TestTime } from '../support.ts';

const RECORD: QueryLogRecord = {
  endpoint: 'counts',
  endpoint_token: '22222222-2222-4222-8222-222222222222',
  key_id: 'key',
  language: 'sql',
  origin: 'call',
  status_code: 200,
  cache: 'miss',
  rows: 3,
  bytes_scanned: 25_000_000,
  cost_usd: 0.000125,
};

function start(
  options: {
    readonly sources?: readonly string[];
    readonly intervalMs?: number;
    readonly write?: () => Promise<void>;
  } = {},
) {
  const { sources = ['sluice.queries'], intervalMs, write = async () => {} } = options;
  const time = new TestTime();
  const writes: (readonly string[])[] = [];
  const measured: [string, number][] = [];
  const { logger, lines } = recordingLogger();
  const schemas = new MemoryRegistry();
  const recorder = new QueryLogWriter({
    inference: new SchemaInference({ registry: schemas, logger }),
    sink: {
      write: async (rows) => {
        writes.push(rows);
        await write();
      },
    },
    registry: {
      sourceByName: async (name) => (sources.includes(name) ? source('token', name) : undefined),
    },
    metrics: { record: (name, value) => void measured.push([name, value]) },
    clock: time,
    logger,
    sleep: time.sleep,
    ...(intervalMs === undefined ? {} : { intervalMs }),
  });
  return { time, recorder, registry: schemas, writes, measured, lines };
}

describe('QueryRecorder', () => {
  test('writes a call as a row of the lake', async () => {
    const { recorder, writes } = start();

    await recorder.record(RECORD);

    expect(writes).toHaveLength(1);
    expect(JSON.parse(writes[0]?.[0] ?? '')).toMatchObject({
      source_id: 'token',
      id: expect.any(String),
      timestamp: '2026-01-01 00:00:00.000',
      timestamp_us: 1767225600000000,
      event_message: 'counts 200 miss',
      metadata: JSON.stringify(RECORD),
      ingested_at: '2026-01-01 00:00:00.000',
    });
  });

  test('fills the slots of its source, and writes nothing while the registry cannot give them', async () => {
    const { recorder, registry, writes, lines } = start();
    registry.failure = new Error('down');

    await recorder.record(RECORD);
    registry.failure = undefined;
    await recorder.record(RECORD);

    expect(lines).toMatchObject([{ level: 'error' }, { level: 'warn', fields: { lost: 1 } }]);
    const { slots } = await registry.schema('token');
    const endpoint = slotColumn(slots.indexOf('metadata.endpoint=string'));
    expect(writes.flat().map((row) => JSON.parse(row)[endpoint])).toEqual([RECORD.endpoint]);
  });

  test('writes times as whole milliseconds, and costs as they are', async () => {
    const { recorder, writes } = start();

    await recorder.record({ ...RECORD, compile_ms: 3.4, queue_ms: 0.5, engine_ms: 12.75 });

    const { metadata } = JSON.parse(writes[0]?.[0] ?? '');
    expect(JSON.parse(metadata)).toEqual({ ...RECORD, compile_ms: 3, queue_ms: 1, engine_ms: 13 });
  });

  test('writes the calls of a dashboard at once, and those of a flood together', async () => {
    const { time, recorder, writes } = start({ intervalMs: 1_000 });
    for (let call = 0; call < 10; call++) await recorder.record(RECORD);
    expect(writes.map((rows) => rows.length)).toEqual(Array(10).fill(1));

    for (let call = 0; call < 4; call++) {
      time.advance(0.3);
      await recorder.record(RECORD);
    }

    expect(writes.slice(10).map((rows) => rows.length)).toEqual([4]);
    const times = writes.slice(10).flat();
    expect(times.map((row) => JSON.parse(row).timestamp.slice(17))).toEqual([
      '00.300',
      '00.600',
      '00.900',
      '01.200',
    ]);
  });

  test('writes what waits at the end of a request when it is time, and in any case at the end', async () => {
    const { time, recorder, writes } = start({ intervalMs: 1_000 });
    for (let call = 0; call < 12; call++) await recorder.record(RECORD);
    await recorder.flushDue();
    expect(writes).toHaveLength(10);

    time.advance(1);
    await recorder.flushDue();
    await recorder.record(RECORD);
    await recorder.flush();

    expect(writes.slice(10).map((rows) => rows.length)).toEqual([2, 1]);
  });

  test('writes nothing where the source was renamed or deleted', async () => {
    const { recorder, writes, measured } = start({ sources: ['queries of ours'] });

    await recorder.record(RECORD);

    expect(writes).toEqual([]);
    expect(measured).not.toEqual([]);
  });

  test('logs what the sink does not take, and fails no answer for it', async () => {
    const { recorder, lines } = start({
      write: async () => {
        throw new ServiceError('sink_unavailable', 503, 'Not now.');
      },
    });

    await recorder.record(RECORD);

    expect(lines).toMatchObject([{ level: 'warn', fields: { lost: 1 } }]);
  });

  test('waits a second for a slow sink, and no longer', async () => {
    const { time, recorder, writes } = start({ write: () => new Promise(() => {}) });
    const recorded = recorder.record(RECORD);
    await vi.waitFor(() => expect(writes).toHaveLength(1));
    time.advance(1);

    await expect(recorded).resolves.toBeUndefined();
  });

  test('counts calls, what they cost and where their rows came from', async () => {
    const { recorder, measured } = start();

    await recorder.record(RECORD);

    expect(measured).toEqual([
      ['QueryCalls', 1],
      ['QueryErrors', 0],
      ['QueryCacheMisses', 1],
      ['QueryBytesScanned', 25_000_000],
      ['QueryCostUsd', 0.000125],
    ]);
  });

  test('counts an error of ours, and none of the caller', async () => {
    const { recorder, measured } = start();
    const { cache: _cache, ...failed } = RECORD;

    await recorder.record({ ...failed, status_code: 502, error_code: 'query_failed' });
    await recorder.record({ ...failed, status_code: 400, error_code: 'sql_syntax' });

    const errors = measured.filter(([name]) => name === 'QueryErrors');
    expect(errors.map(([, value]) => value)).toEqual([1, 0]);
  });
});

test('a record holds nothing that its schema does not say', () => {
  const learned = new InferredSchema('token');
  const full: Required<QueryLogRecord> = {
    ...RECORD,
    key_id: 'key',
    error_code: 'query_failed',
    cache: 'miss',
    age_seconds: 0,
    rows: 3,
    bytes_scanned: 1,
    cost_usd: 0.5,
    compile_ms: 1,
    queue_ms: 1,
    engine_ms: 1,
    decode_ms: 1,
  };

  learned.learn({ metadata: full });

  const shown = Object.entries(learned.unsaved?.types ?? {});
  for (const [path, mask] of shown) {
    expect([path, mask & (QUERY_LOG_SCHEMA[path] ?? 0)]).toEqual([path, mask]);
  }
  expect(shown).toHaveLength(Object.keys(QUERY_LOG_SCHEMA).length);
});
