import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventRejected } from '../../../src/ingest/event/rejected-event.ts';
import { DynamoRejections } from '../../../src/ingest/rejections/dynamo-rejections.ts';
import { eventSample, MAX_SAMPLE_BYTES } from '../../../src/ingest/rejections/event-sample.ts';
import { KEEP_REJECTIONS_MS } from '../../../src/ingest/rejections/rejection-log.ts';
import {
  type Refusal,
  RejectionRecorder,
  type RejectionRecorderDeps,
} from '../../../src/ingest/rejections/rejection-recorder.ts';
import { LOCAL_TABLES } from '../../../src/local/dynalite/dynamodb.ts';
import { recordingLogger } from '../../http/support.ts';
import { openDatabase, type TestDatabase, watched } from '../../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

/** One instance of the service, as far as refusals go. */
function instance(options: Pick<RejectionRecorderDeps, 'writeIntervalMs'> = {}) {
  const { client, calls, intercept } = watched(database.client);
  const { logger, lines } = recordingLogger();
  const { clock } = database;
  const log = new DynamoRejections({ client, table: LOCAL_TABLES.cache, clock });
  const recorder = new RejectionRecorder({ log, clock, logger, ...options });
  return { log, recorder, calls, intercept, lines };
}

const aSource = (keep = false) => ({ token: randomUUID(), keep_rejected_events: keep });

const REQUEST = { requestId: 'r-1', route: '/logs/json' };

const refusal = (reason: string, index: number | null = 0): Refusal => ({
  code: 'events_rejected',
  reason,
  index,
});

test('a refusal is kept with its time, reason, place and request', async () => {
  const { recorder, log } = instance();
  const source = aSource();

  await recorder.record(source, REQUEST, [refusal('not a JSON object', 3)]);

  expect(await log.latest(source.token, 100)).toEqual([
    {
      rejected_at: new Date(database.clock.now()).toISOString(),
      reason: 'not a JSON object',
      code: 'events_rejected',
      index: 3,
      count: 1,
      request_id: 'r-1',
      route: '/logs/json',
    },
  ]);
});

describe('writing', () => {
  test('is over with the request, and costs one call for it', async () => {
    const { recorder, log, calls } = instance();
    const source = aSource();
    const batch = Array.from({ length: 1_000 }, (_, index) => refusal('no', index));

    await recorder.record(source, REQUEST, batch);
    await recorder.record(source, REQUEST, [refusal('no', 7)]);

    expect(calls).toEqual(['Put', 'Put']);
    const counts = (await log.latest(source.token, 100)).map(({ count }) => count);
    expect(counts.toSorted()).toEqual([1, 1_000]);
  });

  test('costs one call in ten seconds in a flood, and misses nothing', async () => {
    const { recorder, log, calls } = instance();
    const source = aSource();

    for (let request = 0; request < 1_000; request++) {
      await recorder.record(source, REQUEST, [refusal('no')]);
      database.clock.advance(100);
    }
    const puts = calls.length;
    await recorder.flush();

    // A hundred seconds, and the ten that may follow each other at once.
    expect(puts).toBeGreaterThanOrEqual(19);
    expect(puts).toBeLessThanOrEqual(20);
    const counts = (await log.latest(source.token, 100)).map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_000);
  });

  test('of what has waited belongs to the next request that may, whatever that is about', async () => {
    const { recorder, log, calls } = instance();
    const source = aSource();
    for (let request = 0; request < 12; request++) {
      await recorder.record(source, REQUEST, [refusal('no')]);
    }
    await recorder.flushDue();
    expect(calls).toHaveLength(10);
    database.clock.advance(10_000);

    await recorder.flushDue();

    expect((await log.latest(source.token, 1))[0]).toMatchObject({ count: 2 });
    await recorder.flushDue();
    expect(calls.filter((operation) => operation === 'Put')).toHaveLength(11);
  });

  test('does not wait for another request where there is a timer', async () => {
    const { recorder, log } = instance({ writeIntervalMs: 500 });
    const source = aSource();
    for (let request = 0; request < 12; request++) {
      await recorder.record(source, REQUEST, [refusal('no')]);
    }

    const counts = async () => (await log.latest(source.token, 100)).map(({ count }) => count);
    await expect.poll(counts, { timeout: 20_000 }).toContain(2);
  });

  test('that fails is logged with what is lost, and fails nothing', async () => {
    const { recorder, intercept, lines } = instance();
    const source = aSource();
    intercept(() => {
      throw new Error('no answer');
    });

    await recorder.record(source, REQUEST, [refusal('a'), refusal('a', 1)]);

    expect(lines).toEqual([
      {
        level: 'error',
        message: 'Rejections could not be recorded',
        fields: { source: source.token, lost: 2, error: new Error('no answer') },
      },
    ]);
  });

  test('keeps twenty kinds at a time, and counts the others together', async () => {
    const { recorder, log } = instance();
    const source = aSource();
    const many = Array.from({ length: 50 }, (_, index) => refusal(`reason ${index}`, index));

    await recorder.record(source, REQUEST, many);

    const records = await log.latest(source.token, 100);
    expect(records).toHaveLength(21);
    expect(records.reduce((sum, { count }) => sum + count, 0)).toBe(50);
    expect(records.find(({ count }) => count === 30)?.reason).toBe('reason 20 (and other reasons)');
  });
});

test('instances do not overwrite each other', async () => {
  const source = aSource();
  const instances = Array.from({ length: 10 }, instance);

  await Promise.all(
    instances.map(({ recorder }, index) =>
      recorder.record(source, REQUEST, [refusal(`of instance ${index}`)]),
    ),
  );

  const records = (await instances[0]?.log.latest(source.token, 100)) ?? [];
  expect(new Set(records.map(({ reason }) => reason)).size).toBe(10);
});

test('the newest hundred are read, and none older than seven days', async () => {
  const { recorder, log } = instance();
  const source = aSource();
  await recorder.record(source, REQUEST, [refusal('too old')]);
  database.clock.advance(KEEP_REJECTIONS_MS);
  for (let second = 0; second < 105; second++) {
    await recorder.record(source, REQUEST, [refusal(`${second}`)]);
    database.clock.advance(10_000);
  }

  const newest = await log.latest(source.token, 100);
  const all = await log.latest(source.token, 1_000);

  expect(newest.map(({ reason }) => reason)).toEqual(
    Array.from({ length: 100 }, (_, index) => `${104 - index}`),
  );
  expect(all).toHaveLength(105);
});

describe('an event', () => {
  const refused = { ...refusal('no'), event: { password: 'secret' } };

  test('is kept where its source wants that', async () => {
    const { recorder, log } = instance();
    const source = aSource(true);

    await recorder.record(source, REQUEST, [refused]);

    const [record] = await log.latest(source.token, 1);
    expect(record?.sample).toEqual({ text: '{"password":"secret"}', bytes: 21 });
  });

  test('is not kept anywhere else', async () => {
    const { recorder, log } = instance();
    const source = aSource();

    await recorder.record(source, REQUEST, [refused]);

    expect(JSON.stringify(await log.latest(source.token, 1))).not.toContain('secret');
  });

  test('fits an item even if all kinds of a write have the longest', async () => {
    const { recorder, log, lines } = instance();
    const source = aSource(true);
    const many = Array.from({ length: 50 }, (_, index) => ({
      ...refusal(`reason ${index}`, index),
      event: { text: '"\u0000日'.repeat(10_000) },
    }));

    await recorder.record(source, REQUEST, many);

    expect(lines).toEqual([]);
    expect(await log.latest(source.token, 100)).toHaveLength(21);
  });

  test('that its format refused, or that nests without end, has none', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 1_000_000; level++) deep = [deep];

    expect([eventSample(new EventRejected('no')), eventSample(deep)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('is cut between characters, with the length of the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 9_000, size: 'max' }), (text) => {
        const whole = JSON.stringify({ text });

        const sample = eventSample({ text });

        expect(sample?.bytes).toBe(Buffer.byteLength(whole));
        expect(whole.startsWith(sample?.text ?? 'none')).toBe(true);
        const kept = Buffer.byteLength(sample?.text ?? '');
        expect(kept).toBeGreaterThan(Math.min(Buffer.byteLength(whole), MAX_SAMPLE_BYTES) - 4);
        expect(kept).toBeLessThanOrEqual(MAX_SAMPLE_BYTES);
      }),
      { numRuns: 50 },
    );
  });
});
