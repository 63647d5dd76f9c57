import { describe, expect, test } from 'vitest';
import { RETRY_MS, TOKEN_LEASE_LIFETIME_MS } from '../../../src/ingest/limits/local-allotment.ts';
import { MAX_DEBT_SECONDS } from '../../../src/ingest/limits/token-bucket.ts';
import { instance, limitedKey, limitedSource, sharedDatabase } from './support.ts';

const database = sharedDatabase();

function start() {
  const { client, clock } = database();
  return { clock, ...instance(client, { clock }) };
}

describe('a source with 5 events per second', () => {
  test('takes 300 at once, and then 5 a second', async () => {
    const { send, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];

    await send(source, key, 300);
    const atOnce = await send(source, key, 1);
    clock.advance(1_000);
    const later = await send(source, key, 5);
    const again = await send(source, key, 1);

    expect([atOnce, later, again].map(({ refusal }) => refusal?.code)).toEqual([
      'rate_limited',
      undefined,
      'rate_limited',
    ]);
  });

  test('takes one large batch, and waits until its debt is paid', async () => {
    const { send, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];

    const batch = await send(source, key, 350);
    const refused = await send(source, key, 1);
    clock.advance(10_000);
    const tooEarly = await send(source, key, 1);
    clock.advance(1_000);
    const paid = await send(source, key, 1);

    expect(batch.refusal).toBeUndefined();
    expect(refused.refusal?.retryAfterSeconds).toBe(11);
    expect(tooEarly.refusal?.retryAfterSeconds).toBe(1);
    expect(paid.refusal).toBeUndefined();
  });

  test('is never locked out for longer than ten minutes and the window', async () => {
    const { send, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];
    await send(source, key, 100_000);

    const { refusal } = await send(source, key, 1);
    clock.advance(MAX_DEBT_SECONDS * 1_000 + 1_000);
    const afterwards = await send(source, key, 1);

    expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(MAX_DEBT_SECONDS + 1);
    expect(afterwards.refusal).toBeUndefined();
  });

  test('does not save up more than a full bucket', async () => {
    const { send, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];
    await send(source, key, 1);

    clock.advance(3_600_000);
    const { source: left } = await send(source, key, 0);

    expect(left).toEqual({ limit: 300, remaining: 300 });
  });

  test('gives what an idle instance drew back to the bucket, and does not spend it beside a full one', async () => {
    const { send, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];
    await send(source, key, 1);

    clock.advance(TOKEN_LEASE_LIFETIME_MS);
    await send(source, key, 300);
    const beyond = await send(source, key, 1);

    expect(beyond.refusal?.code).toBe('rate_limited');
  });

  test('says how much is left before each request', async () => {
    const { send } = start();
    const [source, key] = [limitedSource(5), limitedKey(1_000)];

    const left: number[] = [];
    for (const events of [1, 20, 30, 0]) {
      left.push((await send(source, key, events)).source.remaining);
    }

    expect(left).toEqual([300, 299, 279, 249]);
  });

  test('begins anew with another quota', async () => {
    const { send } = start();
    const [source, key] = [limitedSource(5), limitedKey()];
    await send(source, key, 5_000);

    const raised = await send({ ...source, api_quota: 50 }, key, 1);

    expect(raised.refusal).toBeUndefined();
    expect(raised.source).toEqual({ limit: 3_000, remaining: 3_000 });
  });
});

describe.each([
  ['an hour', 3_600_000],
  ['five minutes', 300_000],
])('a clock that is set back by %s', (_text, ms) => {
  test('makes no instance wait for what was owed before', async () => {
    const { client, clock } = database();
    const [one, other] = [instance(client, { clock }), instance(client, { clock })];
    const [source, key] = [limitedSource(5), limitedKey()];
    await one.send(source, key, 1_000);
    const before = await one.send(source, key, 1);

    clock.advance(-ms);
    const after = [await one.send(source, key, 100), await other.send(source, key, 200)];

    expect(before.refusal?.code).toBe('rate_limited');
    expect(after.map(({ refusal }) => refusal)).toEqual([undefined, undefined]);
  });

  test('leaves limits in force', async () => {
    const { send, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];
    await send(source, key, 300);

    clock.advance(-ms);
    await send(source, key, 300);
    const over = await send(source, key, 1);

    expect(over.refusal?.code).toBe('rate_limited');
  });
});

test('the source is named first when it and the key are over', async () => {
  const { send } = start();
  const [source, key] = [limitedSource(5), limitedKey(5)];
  await send(source, key, 600);

  const { refusal } = await send(source, key, 1);

  expect(refusal?.message).toMatch(
    /^Source rate is over the API quota\. It is 5 events per second/,
  );
  expect(refusal?.message).toContain(`PUT /api/sources/${source.token}`);
});

test('a key is counted over all sources', async () => {
  const { send } = start();
  const key = limitedKey(5);
  await send(limitedSource(null), key, 200);
  await send(limitedSource(null), key, 200);

  const { refusal } = await send(limitedSource(null), key, 1);

  expect(refusal?.message).toMatch(/^User rate is over the API quota\./);
  expect(refusal?.message).toContain(`PUT /api/access-tokens/${key.id}`);
});

describe('several instances', () => {
  test('share what a source may store', async () => {
    const { client, clock } = database();
    const instances = [1, 2, 3].map(() => instance(client, { clock }));
    const [source, key] = [limitedSource(5), limitedKey()];

    let stored = 0;
    for (let request = 0; request < 600; request++) {
      const { refusal } = (await instances[request % 3]?.send(source, key, 1)) ?? {};
      if (refusal === undefined) stored += 1;
    }

    expect(stored).toBe(300);
  });

  test('know of the debt of another', async () => {
    const { client, clock } = database();
    const [one, other] = [instance(client, { clock }), instance(client, { clock })];
    const [source, key] = [limitedSource(5), limitedKey()];

    await one.send(source, key, 350);
    const { refusal } = await other.send(source, key, 1);

    expect(refusal?.retryAfterSeconds).toBe(11);
  });

  test('draw at the same moment without losing count', async () => {
    const { client, clock } = database();
    const instances = Array.from({ length: 8 }, () => instance(client, { clock }));
    const [source, key] = [limitedSource(5), limitedKey()];

    const admissions = await Promise.all(instances.map(({ send }) => send(source, key, 10)));
    const { source: left } = await instance(client, { clock }).send(source, key, 0);

    expect(admissions.every(({ refusal }) => refusal === undefined)).toBe(true);
    // 80 events, and what the instances drew ahead.
    expect(left.remaining).toBeLessThanOrEqual(220);
  });
});

describe('DynamoDB is asked', () => {
  test('ever more rarely by many instances whose source is over its quota', async () => {
    const instances = Array.from({ length: 20 }, () => start());
    const [source, key] = [limitedSource(200), limitedKey()];
    const { clock } = database();
    const asked = () => instances.reduce((sum, { calls }) => sum + calls.length, 0);
    let stored = 0;
    const second = async () => {
      for (let tenth = 0; tenth < 10; tenth++) {
        const sent = await Promise.all(instances.map(({ send }) => send(source, key, 20)));
        stored += 20 * sent.filter(({ refusal }) => refusal === undefined).length;
        clock.advance(100);
      }
    };
    // What a full bucket holds goes first.
    for (let time = 0; time < 20; time++) await second();
    const [before, storedBefore] = [asked(), stored];

    for (let time = 0; time < 40; time++) await second();

    // 1.2; with a pause that does not grow it is 3.9.
    expect((asked() - before) / 40 / instances.length).toBeLessThan(2);
    // What flowed in was stored all the same.
    expect((stored - storedBefore) / 40).toBeGreaterThan(0.7 * 200);
    expect((stored - storedBefore) / 40).toBeLessThan(1.3 * 200);
  });

  test('twice for the first request of an instance: for the source and for the key', async () => {
    const { send, calls } = start();

    await send(limitedSource(null), limitedKey(), 1);

    expect(calls).toEqual(['Update', 'Update']);
  });

  test('less than once in a hundred requests at a thousand a second', async () => {
    const { send, calls, clock } = start();
    const [source, key] = [limitedSource(null), limitedKey()];

    for (let request = 0; request < 10_000; request++) {
      await send(source, key, 1);
      clock.advance(1);
    }

    // Ten, seen on the day this was written.
    expect(calls.length).toBeLessThan(20);
  });

  test('once a minute by a trickle', async () => {
    const { send, calls, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey(5)];

    for (let request = 0; request < 60; request++) {
      await send(source, key, 1);
      clock.advance(TOKEN_LEASE_LIFETIME_MS / 6);
    }

    expect(calls.length).toBeLessThanOrEqual(2 * 12);
  });

  test('not at all while a bucket is known to be empty', async () => {
    const { send, calls, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];
    await send(source, key, 400);
    await send(source, key, 1);
    const before = calls.length;

    for (let request = 0; request < 100; request++) {
      clock.advance(10);
      await send(source, key, 1);
    }

    expect(calls.length).toBe(before);
  });

  test('never about a source that may store nothing', async () => {
    const { send, calls } = start();

    const { refusal, source } = await send(limitedSource(0), limitedKey(0), 1);

    expect(refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 });
    expect(source).toEqual({ limit: 0, remaining: 0 });
    expect(calls).toEqual([]);
  });
});

describe('while DynamoDB does not answer', () => {
  test('everything is let through, and one line a minute says so', async () => {
    const { send, intercept, lines, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey(5)];
    intercept(() => {
      throw new Error('no answer');
    });

    const refusals = [];
    for (let request = 0; request < 30; request++) {
      refusals.push((await send(source, key, 1_000)).refusal);
      clock.advance(1_000);
    }

    expect(refusals.every((refusal) => refusal === undefined)).toBe(true);
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'Rate limits cannot be checked: everything is let through'],
    ]);
  });

  test('it is asked again at once when the clock is set back', async () => {
    const { send, intercept, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];
    intercept(() => Promise.reject(new Error('out of reach')));
    await send(source, key, 1_000);
    intercept(() => {});

    clock.advance(-3_600_000);
    await send(source, key, 301);
    const over = await send(source, key, 1);

    expect(over.refusal?.code).toBe('rate_limited');
  });

  test('it is asked again every five seconds, and limits hold when it answers', async () => {
    const { send, intercept, calls, clock } = start();
    const [source, key] = [limitedSource(5), limitedKey()];
    intercept(() => {
      throw new Error('no answer');
    });
    for (let request = 0; request < 100; request++) await send(source, key, 1_000);
    const during = calls.length;
    intercept(() => {});
    clock.advance(RETRY_MS);

    await send(source, key, 400);
    const { refusal } = await send(source, key, 1);

    expect(during).toBe(2);
    expect(refusal?.code).toBe('rate_limited');
  });
});
