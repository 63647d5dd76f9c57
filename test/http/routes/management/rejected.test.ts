import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RejectionRecord } from '../../../../src/ingest/rejections/rejection-log.ts';
import { type Management, NOT_FOUND, openManagement } from './support.ts';

let management: Management;

beforeAll(async () => {
  management = await openManagement();
});

afterAll(() => management.close());

function record(changes: Partial<RejectionRecord> = {}): RejectionRecord {
  return {
    rejected_at: '2026-01-02T03:04:05.678Z',
    reason: 'not a JSON object',
    code: 'events_rejected',
    index: 0,
    count: 1,
    request_id: 'r-1',
    route: '/logs',
    ...changes,
  };
}

/** A source that was refused something. */
async function refused(keep_rejected_events: boolean, ...records: RejectionRecord[]) {
  const { body } = await management.call('POST', '/api/sources', {
    name: randomUUID(),
    keep_rejected_events,
  });
  await management.rejections.append(body.token, records);
  return `/api/sources/${body.token}`;
}

const LONG = { text: '{"message":"aaa', bytes: 20_000 };

test('refusals are listed, the newest first', async () => {
  const later = record({ rejected_at: '2026-01-02T03:04:06.000Z', reason: 'later' });
  const path = await refused(false, record(), later);

  expect(await management.call('GET', `${path}/rejected`)).toEqual({
    status: 200,
    body: { result: [later, record()] },
  });
});

test('a source that was refused nothing has an empty list', async () => {
  const path = await refused(false);

  expect(await management.call('GET', `${path}/rejected`)).toMatchObject({ body: { result: [] } });
});

test('events are shown as they are, or as the beginning of their text', async () => {
  const whole = record({ sample: { text: '{"n":7}', bytes: 7 } });
  const path = await refused(true, whole, record({ sample: LONG }));

  const { body } = await management.call('GET', `${path}/rejected`);

  expect(body).toEqual({
    result: [
      { ...record(), event: { n: 7 } },
      { ...record(), event_text: LONG.text, event_bytes: LONG.bytes },
    ],
  });
});

test('events that were kept are hidden as soon as the source does not want them any more', async () => {
  const path = await refused(true, record({ sample: LONG }));

  await management.call('PATCH', path, { keep_rejected_events: false });

  expect(await management.call('GET', `${path}/rejected`)).toMatchObject({
    body: { result: [record()] },
  });
});

test('of a source that does not exist there are none', async () => {
  expect(await management.call('GET', `/api/sources/${randomUUID()}/rejected`)).toEqual(NOT_FOUND);
});

test('other keys see nothing', async () => {
  const path = await refused(false, record());

  expect(await management.call('GET', `${path}/rejected`, undefined, 'other')).toMatchObject({
    status: 401,
  });
});
