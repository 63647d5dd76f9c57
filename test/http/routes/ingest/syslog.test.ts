import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Harness } from '../../../ingest/support.ts';
import { ingestApp, WEB } from './support.ts';

const MESSAGE = '<190>1 2025-06-01T11:59:00.250000+00:00 host app web.1 - Sent 200 in 3ms';
const LOGPLEX = { 'Content-Type': 'application/logplex-1' };

/** The app in front of a pipeline that normalises and keeps the rows. */
function storingApp() {
  const harness = new Harness();
  return { harness, ...ingestApp({ pipeline: harness.pipeline }) };
}

describe.each(['/logs', '/api/logs', '/api/events'])('%s', (prefix) => {
  test.each(['/logplex', '/syslogs', '/syslog', '/syslog/'])(
    '%s stores messages',
    async (route) => {
      const { harness, post } = storingApp();

      const answer = await post({
        path: `${prefix}${route}?source=${WEB.token}`,
        headers: LOGPLEX,
        body: `${MESSAGE.length + 1} ${MESSAGE}\n${MESSAGE.length + 1} ${MESSAGE}\n`,
      });

      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ message: 'Logged!' });
      expect(harness.events).toHaveLength(2);
      expect(harness.events[0]).toMatchObject({
        timestamp: 1748779140250000,
        event_message: 'Sent 200 in 3ms',
        metadata: { facility: 'local7', severity: 'info', level: 'info', process_id: 'web.1' },
      });
    },
  );
});

test('gzip is taken as everywhere', async () => {
  const { harness, post } = storingApp();
  const path = `/logs/syslogs?source=${WEB.token}`;
  await post({
    path,
    headers: { ...LOGPLEX, 'Content-Encoding': 'gzip' },
    body: gzipSync(MESSAGE),
  });
  expect(harness.events).toMatchObject([{ event_message: 'Sent 200 in 3ms' }]);
});

test('a line that is no message is 406 with its index, the others are stored', async () => {
  const { harness, post } = storingApp();

  const answer = await post({
    path: `/logs/syslogs?source=${WEB.token}`,
    headers: LOGPLEX,
    body: `${MESSAGE}\nnonsense\n${MESSAGE}`,
  });

  expect(answer.status).toBe(406);
  expect(await answer.json()).toMatchObject({
    message: [expect.stringMatching(/^event 1: not a syslog message of RFC 5424/)],
    code: 'events_rejected',
  });
  expect(harness.events).toHaveLength(2);
});

test.each([
  ['a JSON object without a batch', 400, 'batch_missing', 'application/json', '{"message":"a"}'],
  ['an unknown content type', 415, 'unsupported_content_type', 'text/html', MESSAGE],
])('%s is %i', async (_what, status, code, contentType, body) => {
  const { harness, post } = storingApp();

  const answer = await post({
    path: `/logs/logplex?source=${WEB.token}`,
    headers: { 'Content-Type': contentType },
    body,
  });

  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ error: expect.any(String), code });
  expect(harness.rows).toEqual([]);
});

test('the source may be named by a header only, and is asked for', async () => {
  const { post } = ingestApp();
  const named = await post({
    path: '/logs/logplex',
    headers: { ...LOGPLEX, 'X-Source': WEB.token },
    body: MESSAGE,
  });
  const unnamed = await post({ path: '/logs/logplex', headers: LOGPLEX, body: MESSAGE });
  expect([named.status, unnamed.status]).toEqual([200, 401]);
});

test('a stranger is refused before the body is read', async () => {
  const { post } = ingestApp();
  const answer = await post({
    path: `/logs/logplex?source=${WEB.token}`,
    headers: { 'X-API-KEY': 'unknown', 'Content-Type': 'text/html' },
    body: MESSAGE,
  });
  expect(answer.status).toBe(401);
});
