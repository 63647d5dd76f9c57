import { randomUUID } from 'node:crypto';
import { field } from '../client/answer.ts';
import type { Check } from '../trial/check.ts';

export const http: Check = {
  name: 'http',
  says: 'health, request ids, preflights, compressed answers and unknown paths are as the docs say',
  needs: [],
  remedy:
    'Something between you and the service may answer in its place or change answers: a proxy, a firewall, another API under this name. See docs/http-api.md#health-cors-compression-request-ids.',

  async run(trial, findings) {
    const withoutKey = trial.admin.as(undefined);
    const id = randomUUID();
    const health = await withoutKey.get('/health', { 'X-Request-Id': id });
    findings.answers('GET /health', health, 200);
    findings.fits('its X-Request-Id', id, health.headers.get('X-Request-Id'));
    const preflight = await withoutKey.call('/logs', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://page.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-api-key',
      },
    });
    findings.answers('a preflight', preflight, 204);
    findings.fits(
      'its origin',
      'https://page.example',
      preflight.headers.get('Access-Control-Allow-Origin'),
    );
    const endpoints = await trial.admin.get('/api/endpoints', { 'Accept-Encoding': 'gzip' });
    findings.fits(
      'coding of the list of saved queries',
      'gzip',
      endpoints.headers.get('Content-Encoding'),
    );
    findings.answers('an unknown path', await withoutKey.get(`/${trial.prefix}`), 404, 'not_found');
  },
};

export const management: Check = {
  name: 'management',
  says: 'sources and saved queries are made, read, changed and refused as the docs say',
  needs: [],
  remedy:
    'See docs/http-api.md#management, and the log of the management function (docs/runbook.md#tools).',

  async run(trial, findings) {
    const source = await trial.source('managed');
    const path = `/api/sources/${source.token}`;
    const { admin } = trial;
    findings.answers(
      'a name that is taken',
      await admin.post('/api/sources', { name: source.name }),
      422,
    );
    const typo = await admin.post('/api/sources', {
      name: `${trial.prefix}.typo`,
      retention_dayz: 1,
    });
    findings.answers('a field that does not exist', typo, 422);
    const changed = await admin.call(path, { method: 'PATCH', body: { description: 'changed' } });
    findings.answers('PATCH', changed, 204);
    const read = await admin.get(path);
    findings.fits(
      'the source read again',
      { name: source.name, description: 'changed', retention_days: 1 },
      read.body,
    );
    findings.answers(
      'a source that does not exist',
      await admin.get(`/api/sources/${randomUUID()}`),
      404,
      'not_found',
    );
    const broken = await admin.post('/api/endpoints', {
      name: `${trial.prefix}.broken`,
      query: 'drop table x',
    });
    findings.answers('a saved query that is no SELECT', broken, 422);
    findings.fits('where it says why', 'object', typeof field(broken.body, 'errors'));
  },
};

export const rateLimits: Check = {
  name: 'rate-limits',
  says: 'a source over its api_quota is answered 429 with Retry-After, and others are not',
  needs: [],
  remedy:
    'The table that counts may not answer: docs/runbook.md#table-throttled. docs/http-api.md#rate-limits says what counts.',

  async run(trial, findings) {
    const { token } = await trial.source('limited', { api_quota: 1 });
    const post = (events: unknown) => trial.admin.post(`/logs?source=${token}`, events);
    const message = { message: 'limited' };
    const first = await post(Array.from({ length: LIMITED_EVENTS }, () => message));
    findings.answers(`${LIMITED_EVENTS} events where 60 may be stored at once`, first, 200);
    findings.fits(
      'its x-rate-limit-source_limit',
      '60',
      first.headers.get('x-rate-limit-source_limit'),
    );
    // Each instance of the service may store two seconds' worth more.
    let next = await post(message);
    for (let tries = 1; next.status === 200 && tries < MAX_TRIES; tries++)
      next = await post(message);
    if (!findings.answers('the next events', next, 429, 'rate_limited')) return;
    const seconds = Number(next.headers.get('Retry-After'));
    if (!(seconds > 0))
      findings.fail('Retry-After', 'a number of seconds', next.headers.get('Retry-After'));
    const other = await trial.source('batch');
    findings.answers(
      'another source meanwhile',
      await trial.admin.post(`/logs?source=${other.token}&debug=1`, message),
      200,
    );
  },
};

const LIMITED_EVENTS = 80;
const MAX_TRIES = 20;
