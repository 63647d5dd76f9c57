import { describe, expect, test } from 'vitest';
import { Harness } from '../../../ingest/support.ts';
import { ingestApp, KEY, WEB } from './support.ts';

const CODE = '3fd1c0de';
const PREFIXES = ['/logs', '/api/logs', '/api/events'];
const DRAINS = ['/vercel', '/zeit', '/netlify'];
const LOGGED = { message: 'Logged!' };

describe.each(PREFIXES)('below %s', (prefix) => {
  test.each(DRAINS)('%s stores what a drain sends, as JSON and by lines', async (drain) => {
    const harness = new Harness();
    const { post, stored } = ingestApp();
    const entry = { timestamp: 1713268565764, source: 'static', log_type: 'waf' };
    const path = `${prefix}${drain}?source=${WEB.token}`;

    const list = await post({ path, body: [entry] });
    const lines = await post({
      path,
      headers: { 'Content-Type': 'application/x-ndjson', 'X-Vercel-Signature': 'not checked' },
      body: `${JSON.stringify(entry)}\n`,
    });

    expect([list.status, lines.status]).toEqual([200, 200]);
    expect(await lines.json()).toEqual(LOGGED);
    await harness.store(stored.flatMap(({ events }) => events));
    expect(harness.events).toHaveLength(2);
    expect(harness.events[1]).toMatchObject({
      timestamp: 1713268565764000,
      metadata: { source: 'static', log_type: 'waf' },
    });
  });
});

describe.each(['/vercel', '/zeit'])('verification at /logs%s', (drain) => {
  const path = `/logs${drain}?source=${WEB.token}`;
  const inQuery = `${path}&x-vercel-verify=${CODE}`;
  const codeOf = (answer: Response) => answer.headers.get('x-vercel-verify');

  test.each([
    ['an empty body', ''],
    ['an empty object', '{}'],
    ['entries', '[{"source":"edge"}]'],
  ])('the code of the address is repeated for %s', async (_what, body) => {
    const { post } = ingestApp();

    const answer = await post({ path: inQuery, body });

    expect(answer.status).toBe(200);
    expect(codeOf(answer)).toBe(CODE);
    expect(await answer.json()).toEqual(LOGGED);
  });

  test('so is the code of a header', async () => {
    const { post } = ingestApp();

    const answer = await post({ path, headers: { 'x-vercel-verify': CODE }, body: [] });

    expect(codeOf(answer)).toBe(CODE);
  });

  test('GET repeats it and stores nothing', async () => {
    const { app, stored } = ingestApp();

    const answer = await app.request(`${inQuery}&api_key=${KEY}`);

    expect(answer.status).toBe(200);
    expect(codeOf(answer)).toBe(CODE);
    expect(stored).toEqual([]);
  });

  test.each([
    ['without a key', inQuery],
    ['with an unknown key', `${inQuery}&api_key=stranger`],
    ['with the key of another source', `${inQuery}&api_key=other`],
    ['without a source', `/logs${drain}?x-vercel-verify=${CODE}&api_key=${KEY}`],
  ])('no caller learns it %s', async (_how, address) => {
    const { app } = ingestApp({
      keys: { other: ['ingest:source:0c9d8e7f-1a2b-4c3d-9e4f-5a6b7c8d9e0f'] },
    });

    for (const method of ['GET', 'POST']) {
      const answer = await app.request(address, { method });
      expect(answer.status).toBe(401);
      expect(codeOf(answer)).toBeNull();
    }
  });

  test.each(['', 'a b', 'a%0d%0aSet-Cookie:x', 'x'.repeat(129)])(
    'the code %j is none',
    async (code) => {
      const { post } = ingestApp();

      const answer = await post({ path: `${path}&x-vercel-verify=${code}`, body: [] });

      expect(answer.status).toBe(200);
      expect(codeOf(answer)).toBeNull();
    },
  );
});

test('GET /logs/netlify is 404', async () => {
  const { app } = ingestApp();

  const answer = await app.request(`/logs/netlify?source=${WEB.token}&api_key=${KEY}`);

  expect(answer.status).toBe(404);
});
