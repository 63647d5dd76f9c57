import { randomUUID } from 'node:crypto';
import { field } from '../client/answer.ts';
import type { Check } from '../trial/check.ts';

const OVER_5_MIB = 5 * 1024 * 1024 + 1;
/** A refusal is written in the second after its answer. */
const LISTED_WITHIN_S = 20;

export const refusals: Check = {
  name: 'ingest-refusals',
  says: 'what cannot be stored is refused with the status and code that the docs say, and what is sound beside it is stored',
  needs: [],
  remedy:
    'Compare with docs/http-api.md#answers-to-ingest. A proxy or firewall in front of the service may answer in its place.',

  async run(trial, findings) {
    const { token } = await trial.source('refused');
    const path = `/logs?source=${token}`;
    const post = (body: unknown, headers = {}) => trial.admin.post(path, body, headers);
    const inTwoHours = new Date(Date.now() + 7_200_000).toISOString();

    findings.answers('no JSON', await post('{"message": '), 400, 'invalid_json');
    const gzip = { 'Content-Encoding': 'gzip' };
    findings.answers('broken gzip', await post('{}', gzip), 400, 'malformed_compression');
    const large = await post('x'.repeat(OVER_5_MIB));
    findings.answers('a body over 5 MiB', large, 413, 'body_too_large');
    const values = `[${'{},'.repeat(100_000)}{}]`;
    findings.answers('100,001 events', await post(values), 413, 'too_many_events');
    const brotli = { 'Content-Encoding': 'br' };
    findings.answers('brotli', await post('{}', brotli), 415, 'unsupported_content_encoding');
    const image = await post('x', { 'Content-Type': 'image/png' });
    findings.answers('an image', image, 415, 'unsupported_content_type');
    const list = await trial.admin.post(`/logs/vercel?source=${token}`, { not: 'a list' });
    findings.answers('a drain that sends no list', list, 400, 'list_expected');
    const otlp = await trial.admin.post(`/v1/logs?source=${token}`, { resourceLogs: 7 });
    findings.answers('OpenTelemetry that is none', otlp, 400);
    const mixed = await post([
      { id: `${trial.prefix}-kept`, message: 'kept' },
      'only text',
      { message: 'too early', timestamp: inTwoHours },
    ]);
    if (findings.answers('a text and a time ahead in a batch', mixed, 406, 'events_rejected')) {
      const reasons = field(mixed.body, 'message');
      const named =
        Array.isArray(reasons) && reasons.length === 2
          ? reasons.map((each) => String(each).slice(0, 8))
          : reasons;
      findings.fits('the places of both', ['event 1:', 'event 2:'], named);
    }
    const nowhere = await trial.admin.post(`/logs?source=${randomUUID()}`, {});
    findings.answers('a source that does not exist', nowhere, 404, 'not_found');
    findings.answers('no source', await trial.admin.post('/logs', { message: 'x' }), 401);
    trial.acknowledged('refused');
  },
};

export const rejections: Check = {
  name: 'rejections',
  says: 'what was refused is listed at the source, with its reason and place',
  needs: ['ingest-refusals'],
  remedy:
    'Look for "rejection" in the log of the ingest function (docs/http-api.md#where-is-my-event, docs/runbook.md#tools).',

  async run(trial, findings) {
    const { token } = await trial.source('refused');
    const wanted = ['invalid_json', 'body_too_large', 'events_rejected'];
    let seen: unknown[] = [];
    const found = await trial.until(LISTED_WITHIN_S, async () => {
      const answer = await trial.admin.get(`/api/sources/${token}/rejected`);
      const result = field(answer.body, 'result');
      if (answer.status !== 200 || !Array.isArray(result)) {
        return findings.end('the list', 200, answer);
      }
      seen = result;
      const codes = new Set(result.map((each) => field(each, 'code')));
      return wanted.every((code) => codes.has(code)) ? result : undefined;
    });
    if (found === undefined) {
      return findings.end(
        'codes in the list',
        wanted,
        seen.map((each) => field(each, 'code')),
      );
    }
    const early = found.find((each) => String(field(each, 'reason')).includes('future'));
    findings.fits('the event ahead of the clock', { index: 2, count: 1, route: '/logs' }, early);
    // Its source does not keep what was refused.
    if (found.some((each) => field(each, 'event') !== undefined)) {
      findings.fail('contents of refused events', 'none', 'an event');
    }
  },
};

export const debug: Check = {
  name: 'debug',
  says: '?debug=1 shows what would be stored, and stores nothing',
  needs: [],
  remedy: 'See docs/http-api.md#where-is-my-event.',

  async run(trial, findings) {
    const { token } = await trial.source('batch');
    const body = [
      { id: 'd', message: 'debug', 'user-id': 7, timestamp: 1_700_000_000_000 },
      'text',
    ];
    const answer = await trial.admin.post(`/logs?source=${token}&debug=1`, body);
    if (!findings.answers('the call', answer, 200)) return;
    const events = [
      {
        index: 0,
        id: 'd',
        timestamp_us: 1_700_000_000_000_000,
        event_message: 'debug',
        fields: { _user_id: 7 },
      },
      { index: 1, rejected: 'not a JSON object' },
    ];
    findings.fits('counts', { stored: 1, rejected: 1 }, answer.body);
    const shown = field(answer.body, 'events');
    for (const [index, event] of events.entries()) {
      findings.fits(`event ${index}`, event, Array.isArray(shown) ? shown[index] : shown);
    }
  },
};
