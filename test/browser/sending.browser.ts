import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInbox, type Inbox, shared, startedProgram } from '../clients/support/service.ts';
import { type OpenPage, openPage } from './support/page.ts';

const service = shared(startedProgram);

let page: OpenPage;
beforeAll(async () => {
  page = await openPage();
});
afterAll(() => page[Symbol.asyncDispose]());

/** What pages know of a source: its address, and the key that may send to it. */
async function sending(name: string) {
  const { sluice } = service();
  const inbox = await createInbox(sluice, name);
  const { source, key } = inbox;
  return { inbox, key, url: `${sluice.url}/logs?source=${source.token}` };
}

/** The messages in an inbox, once there are so many: a beacon does not say when it has arrived. */
async function arrived(inbox: Inbox, count: number): Promise<unknown[]> {
  for (let tries = 0; tries < 100; tries++) {
    const events = await inbox.events();
    if (events.length >= count) return events.map(({ event_message }) => event_message);
    await delay(50);
  }
  throw new Error(`Fewer than ${count} events arrived.`);
}

test('a beacon of a text is its lines', async () => {
  const { inbox, url, key } = await sending('browser.text');

  const isQueued = await page.run(
    (address) => navigator.sendBeacon(address, 'cart emptied\npage left'),
    `${url}&api_key=${key}`,
  );

  expect(isQueued).toBe(true);
  expect(await arrived(inbox, 2)).toEqual(['cart emptied', 'page left']);
});

test('a beacon of JSON arrives, though it comes with credentials and a preflight, and the page is left', async () => {
  const { inbox, url, key } = await sending('browser.blob');

  await page.run((address) => {
    const events = JSON.stringify([{ message: 'a' }, { message: 'b' }]);
    navigator.sendBeacon(address, new Blob([events], { type: 'application/json' }));
  }, `${url}&api_key=${key}`);
  await page.leave();

  expect(await arrived(inbox, 2)).toEqual(['a', 'b']);
});

test('JSON that fetch labels as text is read as JSON, and the page reads the answer', async () => {
  const { inbox, url, key } = await sending('browser.fetch');

  const answer = await page.run(async (address) => {
    const body = JSON.stringify({ batch: [{ message: 'a' }, { message: 'b' }] });
    const response = await fetch(address, { method: 'POST', body, keepalive: true });
    return response.json();
  }, `${url}&api_key=${key}`);

  expect(answer).toEqual({ message: 'Logged!' });
  expect(await arrived(inbox, 2)).toEqual(['a', 'b']);
});

test('headers that tracing libraries add do no harm, and limits can be read', async () => {
  const { inbox, url, key } = await sending('browser.headers');

  const limit = await page.run(
    async ({ address, secret }) => {
      const response = await fetch(address, {
        method: 'POST',
        credentials: 'include',
        headers: {
          'Content-Type': 'application/json',
          'X-API-KEY': secret,
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
          baggage: 'tenant=acme',
          'sentry-trace': '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
          'x-datadog-origin': 'rum',
        },
        body: '{"message":"traced"}',
      });
      return response.headers.get('x-rate-limit-source_limit');
    },
    { address: url, secret: key },
  );

  expect(Number(limit)).toBeGreaterThan(0);
  expect(await arrived(inbox, 1)).toEqual(['traced']);
});

test('HTTP Basic carries the key', async () => {
  const { inbox, url, key } = await sending('browser.basic');

  const status = await page.run(
    async ({ address, secret }) => {
      const headers = { Authorization: `Basic ${btoa(`page:${secret}`)}` };
      return (await fetch(address, { method: 'POST', headers, body: 'basic' })).status;
    },
    { address: url, secret: key },
  );

  expect(status).toBe(200);
  expect(await arrived(inbox, 1)).toEqual(['basic']);
});

test('a page can read why it was refused', async () => {
  const { url } = await sending('browser.refused');

  const answer = await page.run(async (address) => {
    const response = await fetch(address, { method: 'POST', credentials: 'include', body: 'x' });
    return { status: response.status, body: await response.json() };
  }, `${url}&api_key=wrong`);

  expect(answer).toEqual({ status: 401, body: { error: 'Unauthorized' } });
});

test('routes of other kinds take no credentials of the browser', async () => {
  const { sluice } = service();

  const outcome = await page.run(
    (address) => fetch(address, { credentials: 'include' }).then(() => 'read', String),
    `${sluice.url}/api/sources`,
  );

  expect(outcome).toMatch(/Failed to fetch/);
});
