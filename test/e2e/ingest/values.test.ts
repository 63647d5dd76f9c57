import { beforeAll, expect, test } from 'vitest';
import { shared, startService } from '../support/server.ts';

const service = shared(startService);

beforeAll(async () => {
  const { sluice } = service();
  await sluice.createSource('values');
});

let count = 0;

/**
 * Sends the JSON text of a `metadata`, and reads it back as a consumer sees it.
 *
 * @returns the text of the answer, because `JSON.parse` would round what is to be compared.
 */
async function roundTrip(metadata: string): Promise<string> {
  const { sluice } = service();
  const id = `value-${++count}`;
  await sluice.send('values', `{"id":"${id}","metadata":${metadata}}`);
  const { token } = await sluice.createEndpoint({
    name: id,
    query: `select metadata from values where id = '${id}'`,
  });
  return (await sluice.query(token)).text;
}

test.each([
  { what: 'the largest 64-bit integer', metadata: '{"n":9223372036854775807}' },
  { what: 'the smallest 64-bit integer', metadata: '{"n":-9223372036854775808}' },
  { what: 'an integer beyond 2^53', metadata: '{"n":[9007199254740993,1]}' },
  { what: 'an integer beyond 64 bits', metadata: '{"n":123456789012345678901234567890}' },
  { what: 'fractions', metadata: '{"n":[0.1,-2.5,1e-7]}' },
  { what: 'booleans', metadata: '{"yes":true,"no":false}' },
  { what: 'zero', metadata: '{"n":0}' },
  { what: 'text of all the world', metadata: '{"s":"naïve 日本語 עברית 👩‍🚀"}' },
  { what: 'quotes and escapes', metadata: '{"s":"it\'s \\"quoted\\" \\\\ \\n\\t\\u0001 ; -- /*"}' },
  { what: 'capitals in keys', metadata: '{"requestId":1,"RequestID":2}' },
  { what: 'keys that JavaScript knows', metadata: '{"__proto__":{"x":1},"constructor":"c"}' },
  {
    what: 'lists in lists',
    metadata: '{"l":[[1,2],[[3]],"x",{"k":[true]}]}',
  },
  { what: 'lists of objects', metadata: '{"items":[{"sku":"a","n":1},{"sku":"b","tags":["x"]}]}' },
  { what: 'deep objects', metadata: '{"a":{"b":{"c":{"d":{"e":{"f":"deep"}}}}}}' },
  { what: 'a long text', metadata: `{"s":"${'lorem '.repeat(20_000)}"}` },
])('$what comes back as sent', async ({ metadata }) => {
  expect(await roundTrip(metadata)).toBe(`{"result":[{"metadata":${metadata}}]}`);
});

test('keys that are no column names are renamed as Logflare renames them', async () => {
  const sent = '{"user-agent":"a","1st":"b","x.y z":"c","ключ":"d"}';

  expect(await roundTrip(sent)).toBe(
    '{"result":[{"metadata":{"_user_agent":"a","_1st":"b","_x_y_z":"c","_____":"d"}}]}',
  );
});

test('queries compute with every digit', async () => {
  const { sluice } = service();
  await sluice.createSource('totals');
  await sluice.send('totals', '[{"metadata":{"n":9007199254740993}},{"metadata":{"n":1}}]');
  await sluice.createEndpoint({
    name: 'totals.sum',
    query: 'select sum(m.n) as n from totals cross join unnest(metadata) as m',
  });

  const { text } = await sluice.query('totals.sum');

  expect(text).toBe('{"result":[{"n":9007199254740994}]}');
});

test('what is empty is left out', async () => {
  const sent = '{"kept":"x","none":null,"text":"","list":[],"object":{},"deep":{"none":[null,""]}}';

  expect(await roundTrip(sent)).toBe('{"result":[{"metadata":{"kept":"x"}}]}');
});
