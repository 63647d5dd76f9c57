import { expect, test } from 'vitest';
import { rawNumber } from '../../src/json.ts';
import { LANDING_COLUMNS } from '../../src/lake/columns.ts';
import { promotionsWith } from '../../src/lake/promoted.ts';
import { type JsonColumn, type LandingEvent, landingRow, rowFrame } from '../../src/lake/row.ts';

const FRAME = rowFrame(
  '8a1c7f4e-52b3-4a7e-9d10-6f3b2c5d7e90',
  Date.UTC(2025, 5, 1, 12),
  promotionsWith([]),
);

const json = (value: unknown): JsonColumn => ({ value, text: JSON.stringify(value) });

function row(event: Partial<LandingEvent>): Record<string, unknown> {
  const text = landingRow(
    {
      id: 'an "id"',
      time: { ms: Date.UTC(2024, 0, 1), us: 7 },
      message: undefined,
      project: undefined,
      metadata: undefined,
      body: undefined,
      ...event,
    },
    FRAME,
  );
  expect(text).not.toContain('\n');
  return JSON.parse(text);
}

test('an event of nothing has its source, id and times', () => {
  expect(row({})).toEqual({
    source_id: '8a1c7f4e-52b3-4a7e-9d10-6f3b2c5d7e90',
    id: 'an "id"',
    timestamp: '2024-01-01 00:00:00.000',
    timestamp_us: 1704067200000007,
    ingested_at: '2025-06-01 12:00:00.000',
  });
});

test('a full event has every kind of column', () => {
  const metadata = {
    level: 'info',
    execution_time_ms: 12,
    request: { method: 'GET', cf: { country: 'DE' }, headers: { user_agent: 'curl "8"' } },
    response: { status_code: 200, origin_time: '5 ms', headers: { cf_cache_status: 'HIT' } },
    parsed: { sql_state_code: '00000' },
  };
  const body = { level: 'top', 'quoted "key"': ['line\nbreak'] };

  const columns = row({
    message: 'GET | 200\n"quoted" \\',
    project: 'p',
    metadata: json(metadata),
    body: json(body),
  });

  expect(columns).toMatchObject({
    event_message: 'GET | 200\n"quoted" \\',
    project: 'p',
    has_metadata: true,
    has_request: true,
    has_request_cf: true,
    has_request_headers: true,
    has_response: true,
    has_response_headers: true,
    has_parsed: true,
    level: 'info',
    execution_time_ms: 12,
    request_method: 'GET',
    request_country: 'DE',
    request_user_agent: 'curl "8"',
    response_status_code: 200,
    response_cache_status: 'HIT',
    sql_state_code: '00000',
  });
  expect(columns).not.toHaveProperty('response_origin_time');
  expect(JSON.parse(String(columns.metadata))).toEqual(metadata);
  expect(JSON.parse(String(columns.body))).toEqual(body);
  const known = new Set(LANDING_COLUMNS.map(({ name }) => name));
  expect(Object.keys(columns).filter((name) => !known.has(name))).toEqual([]);
});

test.each([
  [
    'the top-level field',
    { project: 'top', metadata: json({ project: 'm', project_ref: 'r' }) },
    'top',
  ],
  ['metadata.project', { metadata: json({ project: 'm', project_ref: 'r' }) }, 'm'],
  ['metadata.project_ref', { metadata: json({ project: { a: 1 }, project_ref: 'r' }) }, 'r'],
  ['the text of a number', { body: json({ project: 5 }), metadata: json({ project: 'm' }) }, '5'],
  ['the text of a boolean', { metadata: json({ project: false, project_ref: 'r' }) }, 'false'],
  [
    'every digit of a number',
    { metadata: json({ project: rawNumber('9007199254740993') }) },
    '9007199254740993',
  ],
  [
    'past a list and an object',
    { body: json({ project: ['p'] }), metadata: json({ project: {}, project_ref: 7 }) },
    '7',
  ],
  [
    'nothing',
    { body: json({ project: {} }), metadata: json({ project_ref: { a: 1 } }) },
    undefined,
  ],
  ['nothing of a list', { metadata: json([{ project: 'm' }]) }, undefined],
  ['nothing of a text', { metadata: json('project') }, undefined],
])('project is %s', (_case, event, expected) => {
  expect(row(event).project).toBe(expected);
});

test('a message that is the text of the metadata is written in full', () => {
  const metadata = json({ a: '"' });
  expect(row({ message: metadata.text, metadata })).toMatchObject({
    event_message: '{"a":"\\""}',
    metadata: '{"a":"\\""}',
  });
});

test('only metadata that is an object says that it is one', () => {
  expect(row({ metadata: json([1]) })).not.toHaveProperty('has_metadata');
  expect(row({ metadata: json('text') })).toMatchObject({ metadata: '"text"' });
});
