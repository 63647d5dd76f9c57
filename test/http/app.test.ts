import { describe, expect, test } from 'vitest';
import { createHttpApp } from '../../src/http/app.ts';
import {
  notFound,
  ServiceError,
  unauthorized,
  ValidationError,
} from '../../src/platform/errors.ts';
import { fixedClock, recordingLogger } from './support.ts';

function appThat(answer: () => unknown) {
  const { logger, lines } = recordingLogger();
  const app = createHttpApp({ logger, clock: fixedClock });
  app.get('/thing', (c) => c.json(answer()));
  return { app, lines };
}

function failWith(error: Error) {
  return appThat(() => {
    throw error;
  });
}

describe('request id', () => {
  test('is made up when the client sends none', async () => {
    const { app } = appThat(() => ({}));

    const answer = await app.request('/thing');

    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is the one that the client sent', async () => {
    const { app } = appThat(() => ({}));

    const answer = await app.request('/thing', { headers: { 'X-Request-Id': 'trace-42' } });

    expect(answer.headers.get('X-Request-Id')).toBe('trace-42');
  });

  test.each(['a b', '<script>', 'x'.repeat(256)])('is replaced when it is %j', async (id) => {
    const { app } = appThat(() => ({}));

    const answer = await app.request('/thing', { headers: { 'X-Request-Id': id } });

    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('answers', () => {
  test('name their charset', async () => {
    const { app } = appThat(() => ({ a: 'ä' }));

    const answer = await app.request('/thing');

    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ a: 'ä' });
  });

  test('are the same with a trailing slash', async () => {
    const { app } = appThat(() => ({ a: 1 }));

    const answer = await app.request('/thing/');

    expect(answer.status).toBe(200);
  });

  test('to HEAD have no body', async () => {
    const { app } = appThat(() => ({ a: 1 }));

    const answer = await app.request('/thing', { method: 'HEAD' });

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });
});

describe('errors', () => {
  test('a ServiceError is answered with its status, sentence and code', async () => {
    const { app } = failWith(new ServiceError('bad_parameter', 400, 'Parameter x is missing.'));

    const answer = await app.request('/thing');

    expect(answer.status).toBe(400);
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('Retry-After')).toBeNull();
    expect(await answer.json()).toEqual({
      error: 'Parameter x is missing.',
      code: 'bad_parameter',
    });
  });

  test('Retry-After is in whole seconds, rounded up', async () => {
    const { app } = failWith(
      new ServiceError('sink_unavailable', 503, 'Send it again.', { retryAfterSeconds: 1.2 }),
    );

    const answer = await app.request('/thing');

    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('2');
  });

  test('a ValidationError is 422 with the messages by field', async () => {
    const { app } = failWith(new ValidationError({ name: ["can't be blank"] }));

    const answer = await app.request('/thing');

    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({ errors: { name: ["can't be blank"] } });
  });

  test('missing credentials are 401 Unauthorized', async () => {
    const { app } = failWith(unauthorized());

    const answer = await app.request('/thing');

    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: 'Unauthorized' });
  });

  test('any other error is 500, and its text stays in the log', async () => {
    const fault = new Error('secret bucket name');
    const { app, lines } = failWith(fault);

    const answer = await app.request('/thing', { headers: { 'X-Request-Id': 'trace-42' } });

    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      error: 'Something went wrong on the server. Quote request id trace-42 to its operators.',
      code: 'internal_error',
    });
    expect(lines).toContainEqual({
      level: 'error',
      message: 'unexpected error',
      fields: { request_id: 'trace-42', error: fault },
    });
  });

  test('a failing backend is logged with its cause, a refused request is not', async () => {
    const outage = new ServiceError('query_failed', 502, 'x', { cause: new Error('y') });
    const failing = failWith(outage);
    const refusing = failWith(notFound());

    await failing.app.request('/thing');
    await refusing.app.request('/thing');

    expect(failing.lines.map((line) => line.level)).toEqual(['error', 'info']);
    expect(failing.lines[0]?.fields).toMatchObject({ error: outage });
    expect(refusing.lines.map((line) => line.level)).toEqual(['info']);
  });

  test.each([
    ['GET', '/nothing-here'],
    ['POST', '/thing'],
  ])('%s %s, which is no route, is 404', async (method, path) => {
    const { app } = appThat(() => ({}));

    const answer = await app.request(path, { method });

    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: 'Not Found', code: 'not_found' });
  });
});

describe('CORS', () => {
  const ORIGIN = 'https://app.example';

  function preflight(path: string) {
    const { app } = appThat(() => ({}));
    return app.request(path, {
      method: 'OPTIONS',
      headers: {
        Origin: ORIGIN,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers':
          'authorization,content-type,x-api-key,baggage,traceparent',
      },
    });
  }

  test.each([
    '/thing',
    '/nothing-here',
    '/api/sources',
    '/api/endpoints/query/logs.all',
    '/logstash',
  ])('preflight of %s needs no key', async (path) => {
    const answer = await preflight(path);

    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Max-Age')).toBe('1728000');
    expect(answer.headers.get('Access-Control-Allow-Methods')).toBe(
      'GET,POST,PUT,PATCH,DELETE,OPTIONS',
    );
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });

  test('a preflight allows the headers that it asks for', async () => {
    const answer = await preflight('/thing');

    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe(
      'authorization,content-type,x-api-key,baggage,traceparent',
    );
  });

  test.each(['/logs', '/logs/json', '/api/logs', '/api/events/browser/reports', '/v1/logs'])(
    'preflight of %s names the origin and allows credentials, which beacons have',
    async (path) => {
      const answer = await preflight(path);

      expect(answer.status).toBe(204);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
      expect(answer.headers.get('Access-Control-Allow-Credentials')).toBe('true');
      expect(answer.headers.get('Vary')).toContain('Origin');
      expect(answer.headers.get('Access-Control-Allow-Headers')).toContain('traceparent');
    },
  );

  test.each([
    ['an answer', () => ({}), 200],
    ['a refusal', () => Promise.reject(unauthorized()), 401],
    ['a fault', () => Promise.reject(new Error('x')), 500],
  ])('%s can be read by any page', async (_name, act, status) => {
    const { logger } = recordingLogger();
    const app = createHttpApp({ logger, clock: fixedClock });
    app.get('/thing', async (c) => c.json(await act()));

    const answer = await app.request('/thing');

    expect(answer.status).toBe(status);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Expose-Headers')?.split(',')).toEqual(
      expect.arrayContaining(['Age', 'Sluice-Cache', 'Retry-After', 'X-Request-Id']),
    );
  });
});

describe('access log', () => {
  test('has one line per request, without the query string', async () => {
    const { app, lines } = appThat(() => ({ a: 'ä' }));

    await app.request('/thing?api_key=secret', { headers: { 'X-Request-Id': 'trace-42' } });

    expect(lines).toEqual([
      {
        level: 'info',
        message: 'request',
        fields: {
          request_id: 'trace-42',
          method: 'GET',
          path: '/thing',
          status: 200,
          ms: 0,
          bytes_in: 0,
          bytes_out: 10,
        },
      },
    ]);
  });

  test('names the code of a refusal', async () => {
    const { app, lines } = failWith(unauthorized());

    await app.request('/thing');

    expect(lines[0]?.fields).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  test('counts no bytes for a HEAD request', async () => {
    const { app, lines } = appThat(() => ({ a: 1 }));

    await app.request('/thing', { method: 'HEAD' });

    expect(lines[0]?.fields).toMatchObject({ method: 'HEAD', status: 200, bytes_out: 0 });
  });
});
