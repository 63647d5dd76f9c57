import { beforeAll, describe, expect, test } from 'vitest';
import { shared, startService } from '../e2e/support/server.ts';

const service = shared(startService);

let tokens: Record<string, string>;

beforeAll(async () => {
  const { sluice } = service();
  const names = ['my_table', 'other.table', 'old', 'old.dotted'];
  const sources = await Promise.all(names.map((name) => sluice.createSource(name)));
  tokens = Object.fromEntries(sources.map(({ name, token }) => [name, token]));
  for (const name of names) await sluice.send(name, { message: name, a: 1 });
});

/** Gives a source another name. */
async function rename(from: string, to: string): Promise<void> {
  const body = { name: to };
  const answer = await service().sluice.call(`/api/sources/${tokens[from]}`, {
    method: 'PATCH',
    body,
  });
  expect(answer.status).toBe(204);
}

describe('what an endpoint reads is kept with it', () => {
  test('115 for every source of the text', async () => {
    const endpoint = await service().sluice.createEndpoint({
      name: 'reads.two',
      query: 'select m.a from my_table as m, `other.table` as o',
    });

    expect(endpoint).toMatchObject({
      source_mapping: { my_table: tokens.my_table, 'other.table': tokens['other.table'] },
    });
  });

  test('116 beside the text, which stays as it was sent', async () => {
    const query = 'SELECT a -- all of it\n  FROM `my_table`';

    const endpoint = await service().sluice.createEndpoint({ name: 'reads.one', query });

    expect(endpoint).toMatchObject({ query, source_mapping: { my_table: tokens.my_table } });
  });

  test('117 but for other endpoints, which are no sources', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({ name: 'a.child', query: 'select 1 as one' });

    const endpoint = await sluice.createEndpoint({
      name: 'a.parent',
      query: 'select one from `a.child`',
    });

    expect(endpoint).toMatchObject({ source_mapping: {} });
  });
});

describe('a renamed source', () => {
  test.each<{ fact: number; what: string; from: string; to: string }>([
    { fact: 118, what: 'is read by saved queries as before', from: 'old', to: 'new' },
    { fact: 119, what: 'may have dots in its names', from: 'old.dotted', to: 'new.dotted' },
  ])('$fact $what', async ({ from, to }) => {
    const { sluice } = service();
    const { token } = await sluice.createEndpoint({
      name: `reads.${from}`,
      query: `select \`${from}\`.event_message from \`${from}\``,
    });

    await rename(from, to);

    expect(await sluice.rows(token)).toEqual([{ event_message: from }]);
  });
});

describe('an endpoint over another one', () => {
  test('120 reads its rows under an alias', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({ name: 'my.endpoint', query: "select 'val' as val" });
    await sluice.createEndpoint({
      name: 'my.reader',
      query: 'select tester.val from `my.endpoint` as tester',
    });

    expect(await sluice.rows('my.reader')).toEqual([{ val: 'val' }]);
  });

  test('122 takes its parameters', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({ name: 'takes.other', query: 'select @other as given' });
    const sql = 'select given from `takes.other`';

    const answer = await sluice.call(`/api/query/parse?${new URLSearchParams({ sql })}`);
    await sluice.createEndpoint({ name: 'reads.other', query: sql });

    expect(answer).toMatchObject({ status: 200, body: { result: { parameters: ['other'] } } });
    expect(await sluice.rows('reads.other', { other: 'x' })).toEqual([{ given: 'x' }]);
  });
});

describe('a change of an endpoint is refused', () => {
  test.each<{ fact: number; what: string; changes: object[]; errors: object }>([
    {
      fact: 124,
      what: 'when its query names a table that nobody knows',
      changes: [{ query: 'select b from unknown' }],
      errors: { query: [expect.stringContaining("can't find source unknown")] },
    },
    {
      fact: 125,
      what: 'when its limit is not from 1 to 10,000',
      changes: [{ max_limit: 0 }, { max_limit: 10_001 }],
      errors: { max_limit: [expect.stringMatching(/must be (greater|less) than %\{number\}/)] },
    },
  ])('$fact $what, and nothing changes', async ({ fact, changes, errors }) => {
    const { sluice } = service();
    const query = 'select a from my_table';
    const { token } = await sluice.createEndpoint({ name: `unchanged.${fact}`, query });

    for (const body of changes) {
      const answer = await sluice.call(`/api/endpoints/${token}`, { method: 'PUT', body });
      expect(answer).toMatchObject({ status: 422, body: { errors } });
    }

    const { body } = await sluice.call(`/api/endpoints/${token}`);
    expect(body).toMatchObject({ query, max_limit: 1000, version: 1 });
  });
});
