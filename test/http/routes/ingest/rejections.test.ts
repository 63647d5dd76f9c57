import { describe, expect, test } from 'vitest';
import type { Refusal } from '../../../../src/ingest/rejections/rejection-recorder.ts';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { ingestApp, WEB } from './support.ts';

function recording(options: Parameters<typeof ingestApp>[0] = {}) {
  const recorded: { source: string; route: string; requestId: string; refusal: Refusal }[] = [];
  const app = ingestApp({
    ...options,
    recorder: {
      async record({ token }, { route, requestId }, refusals) {
        for (const refusal of refusals) recorded.push({ source: token, route, requestId, refusal });
      },
    },
  });
  return { ...app, recorded };
}

test('events that are refused are recorded with what was sent', async () => {
  const { post, recorded } = recording({
    store: () => ({ stored: 1, rejected: [{ index: 1, reason: 'not a JSON object' }] }),
  });

  await post({
    path: `/api/logs/json?source=${WEB.token}`,
    headers: { 'X-Request-Id': 'my-request' },
    body: [{ a: 1 }, 7],
  });

  expect(recorded).toMatchObject([
    {
      source: WEB.token,
      route: '/api/logs/json',
      requestId: 'my-request',
      refusal: { code: 'events_rejected', reason: 'not a JSON object', index: 1 },
    },
  ]);
});

describe('a request that is refused as a whole is recorded:', () => {
  test.each([
    ['400', 'invalid_json', { body: '{"a":' }],
    ['413', 'body_too_large', { body: 'x'.repeat(6_000_000) }],
    ['415', 'unsupported_content_type', { headers: { 'Content-Type': 'text/css' }, body: 'a' }],
  ])('%s %s', async (status, code, sent) => {
    const { post, recorded } = recording();

    const answer = await post(sent);

    const { error } = (await answer.json()) as { error: string };
    expect(String(answer.status)).toBe(status);
    expect(recorded.map(({ refusal }) => refusal)).toEqual([{ code, reason: error, index: null }]);
  });

  test('429 rate_limited', async () => {
    const { post, recorded } = recording({ sources: [{ ...WEB, api_quota: 0 }] });

    await post();

    expect(recorded).toMatchObject([{ refusal: { code: 'rate_limited', index: null } }]);
  });
});

describe('nothing is recorded for', () => {
  test.each([
    ['a stranger', { headers: { 'X-API-KEY': 'unknown' }, body: '{"a":' }],
    ['a source that does not exist', { path: '/logs?source_name=none', body: '{"a":' }],
    ['a source that only the body could name', { path: '/logs', body: '{"a":' }],
  ])('%s', async (_who, sent) => {
    const { post, recorded } = recording();

    await post(sent);

    expect(recorded).toEqual([]);
  });

  test('what was stored', async () => {
    const { post, recorded } = recording();

    await post();

    expect(recorded).toEqual([]);
  });

  test('a fault of the service', async () => {
    const { post, recorded } = recording({
      pipeline: {
        store: async () => {
          throw new ServiceError('sink_unavailable', 503, 'No.', { retryAfterSeconds: 1 });
        },
      },
    });

    await post();

    expect(recorded).toEqual([]);
  });
});
