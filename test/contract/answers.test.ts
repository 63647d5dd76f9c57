import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../e2e/support/client.ts';
import { watchedService } from './service.ts';

const service = watchedService();

const COUNT = 'select count(*) as n from `answers`';

/** Sends one more event, so that rows made before and after it differ. */
const sendOne = () => service().sluice.send('answers', { message: 'one more' });

let created = 0;

/** An endpoint of its own for a test, that counts the events. */
function counting(fields: object): Promise<Endpoint> {
  return service().sluice.createEndpoint({ name: `answers.${++created}`, query: COUNT, ...fields });
}

/** What an answer counts, and where its rows come from. */
async function counted(endpoint: Endpoint) {
  const { rows, headers } = await service().sluice.query(endpoint.token);
  return { n: rows[0]?.n, cache: headers.get('Sluice-Cache') };
}

/** How many runs of the engine something takes. */
async function runsOf(action: () => Promise<unknown>): Promise<number> {
  const { engine } = service();
  const before = engine.runs;
  await action();
  return engine.runs - before;
}

beforeAll(async () => {
  await service().sluice.createSource('answers');
  await sendOne();
});

describe('an engine that fails', () => {
  test('97 shows nothing of its own text, and no rows', async () => {
    const { sluice, engine } = service();
    const { token } = await counting({ enable_auth: false });
    engine.failOnce(new Error('no such key: s3://bucket-7/log_events'));

    const answer = await sluice.as(undefined).query(token);

    expect(answer).toMatchObject({ status: 500, body: { error: expect.any(String) } });
    expect(answer.body).not.toHaveProperty('result');
    expect(answer.text).not.toMatch(/bucket-7|log_events|no such key/);
  });

  test('98 is asked again by the next call, whose rows are kept for the third', async () => {
    const { sluice, engine } = service();
    const endpoint = await counting({ cache_duration_seconds: 60 });
    engine.failOnce(new Error('once'));

    const failed = await sluice.query(endpoint.token);
    const runs = await runsOf(async () => {
      expect(await counted(endpoint)).toMatchObject({ cache: 'miss' });
      expect(await counted(endpoint)).toMatchObject({ cache: 'hit' });
    });

    expect(failed.status).toBe(500);
    expect(runs).toBe(1);
  });
});

describe('rows', () => {
  test('107 are not kept where the cache duration is 0', async () => {
    const endpoint = await counting({ cache_duration_seconds: 0 });

    const runs = await runsOf(async () => {
      await counted(endpoint);
      await counted(endpoint);
    });

    expect(runs).toBe(2);
  });

  test('108 are kept for the next call where it is not, and for calls at the same time', async () => {
    const endpoint = await counting({ cache_duration_seconds: 60 });
    const together = await counting({ cache_duration_seconds: 60 });

    const runs = await runsOf(async () => {
      await counted(endpoint);
      await counted(endpoint);
      await Promise.all([counted(together), counted(together)]);
    });

    expect(runs).toBe(2);
  });

  describe('109 are made anew after a change of', () => {
    test.each([
      ['query', `${COUNT} where true`],
      ['sandboxable', true],
      ['cache_duration_seconds', 120],
      ['proactive_requerying_seconds', 30],
      ['max_limit', 10],
      ['enable_auth', false],
      ['labels', 'team=a'],
    ])('%s', async (field, value) => {
      const endpoint = await counting({ cache_duration_seconds: 60 });
      const { n } = await counted(endpoint);
      await sendOne();

      await service().sluice.call(`/api/endpoints/${endpoint.token}`, {
        method: 'PATCH',
        body: { [field]: value },
      });

      expect(await counted(endpoint)).toEqual({ n: Number(n) + 1, cache: 'miss' });
    });
  });

  test('110 are served until a refresh is done, then the new ones', async () => {
    const { clock, engine, warm } = service();
    const endpoint = await counting({
      cache_duration_seconds: 100,
      proactive_requerying_seconds: 10,
    });
    const { n } = await counted(endpoint);
    await sendOne();
    clock.advance(10);

    const release = engine.hold();
    const runs = engine.runs;
    const warming = warm();
    await engine.started(runs + 1);
    const meanwhile = await counted(endpoint);
    release();
    await warming;

    expect(meanwhile).toEqual({ n, cache: 'hit' });
    expect(await counted(endpoint)).toEqual({ n: Number(n) + 1, cache: 'hit' });
  });

  test('112 live for the cache duration from when they were made, however often they are read', async () => {
    const { clock } = service();
    const endpoint = await counting({ cache_duration_seconds: 60 });
    const { n } = await counted(endpoint);
    await sendOne();

    clock.advance(59);
    const young = await counted(endpoint);
    clock.advance(1);
    const old = await counted(endpoint);

    expect(young).toEqual({ n, cache: 'hit' });
    expect(old).toEqual({ n: Number(n) + 1, cache: 'miss' });
  });
});

describe('redaction', () => {
  test('105 is asked for by a header, of an endpoint that does not redact', async () => {
    const { sluice } = service();
    const query = "select 'connected ::1' as message";
    const { token } = await sluice.createEndpoint({ name: 'answers.plain', query });

    const { rows } = await sluice.query(token, {}, { 'LF-ENDPOINT-REDACT-PII': 'true' });

    expect(rows).toEqual([{ message: 'connected REDACTED' }]);
    expect(await sluice.rows(token)).toEqual([{ message: 'connected ::1' }]);
  });

  test.each<{ fact: number; what: string; query: string; row: object }>([
    {
      fact: 113,
      what: 'changes text at every depth, and neither names nor numbers',
      query: `select 'User 10.0.0.1 logged in' as message,
        parse_json('{"192.168.1.1": "192.168.1.1", "n": 5}') as nested`,
      row: { message: 'User REDACTED logged in', nested: { '192.168.1.1': 'REDACTED', n: 5 } },
    },
    {
      fact: 114,
      what: 'leaves digits and dots that are no address',
      query: "select 'IP: 192.168.1.1, not 12192.168.1.11' as message",
      row: { message: 'IP: REDACTED, not 12192.168.1.11' },
    },
  ])('$fact $what', async ({ query, row }) => {
    const { sluice } = service();
    const endpoint = await counting({ query, redact_pii: true });

    expect(await sluice.rows(endpoint.token)).toEqual([row]);
  });
});
