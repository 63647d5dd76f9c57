import { expect, test } from 'vitest';
import { LANDING_COLUMNS } from '../../../src/lake/layout/columns.ts';
import {
  type JsonColumn,
  type LandingEvent,
  landingRow,
  rowFrame,
} from '../../../src/lake/rows/row.ts';
import { sourceSchema } from '../../../src/lake/schema/schema.ts';
import { rawNumber } from '../../../src/platform/json/json.ts';

const FRAME = rowFrame('8a1c7f4e-52b3-4a7e-9d10-6f3b2c5d7e90', Date.UTC(2025, 5, 1, 12));

/** Slots 0 to 11. */
const SCHEMA = sourceSchema({
  types: {},
  slots: [
    'metadata=object',
    'metadata=string',
    'metadata.request=object',
    'metadata.request.path=string',
    'metadata.status=number',
    'metadata.status=string',
    'metadata.ok=boolean',
    'metadata.ok=object',
    'metadata.list=object',
    'metadata.list.a=number',
    'level=string',
    'project=number',
  ],
});

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
    SCHEMA,
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
    status: 200,
    ok: true,
    request: { path: '/a"b', other: 'x' },
    list: [{ a: 1 }],
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
    metadata: JSON.stringify(metadata),
    body: JSON.stringify(body),
  });
  const known = new Set(LANDING_COLUMNS.map(({ name }) => name));
  expect(Object.keys(columns).filter((name) => !known.has(name))).toEqual([]);
  expect(slotsIn(columns)).toEqual({
    s000: '{}',
    s002: '{}',
    s003: '/a"b',
    s004: '200',
    s006: 'true',
    s010: 'top',
  });
});

function slotsIn(columns: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).filter(([name]) => /^s\d{3}$/.test(name)));
}

test.each<[string, Partial<LandingEvent>, Record<string, string>]>([
  ['a text where numbers were', { metadata: json({ status: '200' }) }, { s000: '{}', s005: '200' }],
  [
    'a number as it stands in the JSON',
    { metadata: json({ status: 1e21 }) },
    { s000: '{}', s004: '1e+21' },
  ],
  [
    'every digit of a number',
    { metadata: json({ status: rawNumber('9007199254740993') }) },
    { s000: '{}', s004: '9007199254740993' },
  ],
  [
    'an object where booleans were',
    { metadata: json({ ok: { a: 1 } }) },
    { s000: '{}', s007: '{}' },
  ],
  ['metadata that is a text', { metadata: json('text') }, { s001: 'text' }],
  ['metadata that is a list', { metadata: json([{ status: 1 }]) }, {}],
  ['a project that is no text', { body: json({ project: 5 }) }, { s011: '5' }],
  ['a type that has no slot', { body: json({ level: 7 }) }, {}],
])('the slots of %s', (_case, event, expected) => {
  expect(slotsIn(row(event))).toEqual(expected);
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
