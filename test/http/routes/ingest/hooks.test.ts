/** Routes that browsers, GitHub and CloudEvents brokers call, from the request to what is stored. */
import { describe, expect, test } from 'vitest';
import { Harness } from '../../../ingest/support.ts';
import { ingestApp, KEY, WEB } from './support.ts';

const PREFIXES = ['/logs', '/api/logs', '/api/events'];
const CREDENTIALS = `source=${WEB.token}&api_key=${KEY}`;

/** Posts without any header but those given, as such senders do. */
async function deliver(path: string, headers: Record<string, string>, body: unknown) {
  const { app, stored } = ingestApp();
  const answer = await app.request(`${path}?${CREDENTIALS}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const harness = new Harness();
  for (const { events } of stored) await harness.store(events);
  return { answer, events: harness.events };
}

describe.each(PREFIXES)('%s', (prefix) => {
  test('/github stores a webhook', async () => {
    const headers = { 'Content-Type': 'application/json', 'X-GitHub-Event': 'issues' };
    const payload = {
      action: 'opened',
      issue: { number: 3, labels: [{ name: 'bug', html_url: 'h' }] },
      repository: { full_name: 'o/r', html_url: 'h' },
      sender: { login: 'u', avatar_url: 'a' },
    };

    const { answer, events } = await deliver(`${prefix}/github`, headers, payload);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ message: 'Logged!' });
    expect(events).toMatchObject([
      {
        event_message: 'o/r | u | opened',
        metadata: {
          action: 'opened',
          issue: { number: 3, labels: [{ name: 'bug' }] },
          repository: { full_name: 'o/r' },
          sender: { login: 'u' },
        },
      },
    ]);
  });

  test.each([
    ['application/csp-report', { 'csp-report': { 'status-code': 200 } }, 1],
    ['application/reports+json', [{ type: 'coop' }, { type: 'network-error' }], 2],
  ])('/browser/reports stores what comes as %s', async (type, body, count) => {
    const headers = { 'Content-Type': type, Origin: 'https://app.example' };

    const { answer, events } = await deliver(`${prefix}/browser/reports`, headers, body);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(events).toHaveLength(count);
    expect(events[0]).toMatchObject({ event_message: JSON.stringify([body].flat()[0]) });
  });

  test('/browser/reports answers a preflight without credentials', async () => {
    const { app } = ingestApp();

    const answer = await app.request(`${prefix}/browser/reports`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });

    expect(answer.status).toBe(204);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('POST');
    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe('content-type');
  });

  test.each([
    [
      'binary',
      { 'Content-Type': 'application/json', 'CE-Id': 'e', 'Ce-Time': '2024-01-01T00:00:00Z' },
      { n: 1 },
    ],
    [
      'structured',
      { 'Content-Type': 'application/cloudevents+json; charset=utf-8' },
      { specversion: '1.0', source: '/a', id: 'e', time: '2024-01-01T00:00:00Z', data: { n: 1 } },
    ],
    [
      'batched',
      { 'Content-Type': 'application/cloudevents-batch+json' },
      [{ specversion: '1.0', source: '/a', id: 'e', time: '2024-01-01T00:00:00Z', data: { n: 1 } }],
    ],
  ])('/cloud-event stores a CloudEvent in %s mode', async (_mode, headers, body) => {
    const { answer, events } = await deliver(`${prefix}/cloud-event`, { ...headers }, body);

    expect(answer.status).toBe(200);
    expect(events).toMatchObject([
      { id: 'e', timestamp: 1704067200000000, n: 1, cloud_event: { id: 'e' } },
    ]);
  });
});

describe.each(['/github', '/browser/reports', '/cloud-event'])('/logs%s', (route) => {
  test('refuses a stranger before it reads the body', async () => {
    const { app, stored } = ingestApp();

    const answer = await app.request(`/logs${route}?source=${WEB.token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    });

    expect(answer.status).toBe(401);
    expect(stored).toEqual([]);
  });

  test.each([
    ['{', 'application/json', 400, 'invalid_json'],
    ['<p>', 'text/html', 415, 'unsupported_content_type'],
  ])('refuses the body %j of type %s', async (body, type, status, code) => {
    const { answer, events } = await deliver(`/logs${route}`, { 'Content-Type': type }, body);

    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ code, error: expect.any(String) });
    expect(events).toEqual([]);
  });
});
