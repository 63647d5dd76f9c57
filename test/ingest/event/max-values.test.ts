import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_VALUES } from '../../../src/ingest/event/max-values.ts';
import { decode } from '../support.ts';

const MAX_BYTES = 20 * 1024 * 1024;

/** A list of so many values as the field of one event, which makes one more. */
const holding = (values: number, value: string) => `{"a":[${Array(values).fill(value).join()}]}`;

const LINES = 8;
const lines = Array(LINES)
  .fill(holding(MAX_VALUES / 4, '[]'))
  .join('\n');
const syslog = `<34>1 - - - - - - ${holding(MAX_VALUES / 4, '[]')}`;
const options = { maxInflatedBytes: MAX_BYTES };

function delivery(text: string): string {
  return JSON.stringify({ records: [{ data: gzipSync(text).toString('base64') }] });
}

describe('more values than a request may hold are refused', () => {
  test.each([
    ['empty lists', holding(6_600_000, '[]')],
    ['numbers', holding(MAX_VALUES, '1')],
    [
      'members',
      `{${Array(MAX_VALUES + 1)
        .fill('"":1')
        .join()}}`,
    ],
  ])('in a field of one event: %s', async (_what, body) => {
    await expect(decode(body, options)).rejects.toMatchObject({
      status: 413,
      code: 'too_many_values',
    });
  });

  test.each([
    ['NDJSON', '', 'application/x-ndjson', lines],
    ['objects in a row', '', 'application/json', lines],
    ['text', '', 'text/plain', `up\n${lines}`],
    ['a form', '', 'application/x-www-form-urlencoded', holding(MAX_VALUES, '1')],
    ['lines of Logpush', '/cloudflare', 'text/plain', lines],
    [
      'an indented list on the route of Logpush',
      '/cloudflare',
      'text/plain',
      `[\n${holding(MAX_VALUES, '1')}]`,
    ],
    ['records of Firehose', '/firehose', 'application/json', delivery(lines)],
    ['a request of OTLP', '/v1/logs', 'application/json', holding(2 * MAX_VALUES, '1')],
  ])('in %s', async (_what, path, contentType, body) => {
    await expect(decode(body, { ...options, path, contentType })).rejects.toMatchObject({
      status: 413,
      code: 'too_many_values',
    });
  });
});

test.each([
  ['so many numbers', holding(MAX_VALUES - 3, '1')],
  ['commas in texts', `{"a":"${','.repeat(MAX_VALUES)}","b":"\\"${',[{'.repeat(MAX_VALUES)}"}`],
])('%s are taken', async (_what, body) => {
  expect((await decode(body, options)).events).toHaveLength(1);
});

test('JSON inside of messages stays text once there is too much of it', async () => {
  const body = Array(LINES).fill(syslog).join('\n');

  const { events } = await decode(body, {
    ...options,
    path: '/syslogs',
    contentType: 'application/syslog',
  });

  const taken = events.map((event) => (event as SyslogEvent).metadata.sd.length);
  expect(taken.at(0)).toBe(1);
  expect(taken.at(-1)).toBe(0);
});

interface SyslogEvent {
  readonly metadata: { readonly sd: readonly unknown[] };
}
