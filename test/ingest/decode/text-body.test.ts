import { describe, expect, test } from 'vitest';
import { MAX_EVENTS } from '../../../src/ingest/event/max-events.ts';
import { decode, Harness, withoutIdAndTime } from '../support.ts';

describe.each([
  ['text/plain', 'text/plain;charset=UTF-8'],
  ['no content type', undefined],
])('as %s', (_name, contentType) => {
  test.each([
    ['an object', '{"message":"a","n":1}', [{ event_message: 'a', n: 1 }]],
    ['an object over several lines', '{\n  "message": "a"\n}\n', [{ event_message: 'a' }]],
    [
      'a batch',
      '{"batch":[{"message":"a"},{"message":"b"}]}',
      [{ event_message: 'a' }, { event_message: 'b' }],
    ],
    [
      'a list',
      '[{"message":"a"},{"message":"b"}]',
      [{ event_message: 'a' }, { event_message: 'b' }],
    ],
    [
      'lines of JSON',
      '{"message":"a"}\n{"message":"b"}\n',
      [{ event_message: 'a' }, { event_message: 'b' }],
    ],
    ['a byte order mark before JSON', '\ufeff{"message":"a"}', [{ event_message: 'a' }]],
    ['a text', 'it broke', [{ event_message: 'it broke' }]],
    [
      'lines of text',
      'it broke\r\n\n  at home\n',
      [{ event_message: 'it broke' }, { event_message: 'at home' }],
    ],
    [
      'text and JSON',
      'up\n{"message":"a"}\n[info] up',
      [{ event_message: 'up' }, { event_message: 'a' }, { event_message: '[info] up' }],
    ],
    ['a number', '5', [{ event_message: '5' }]],
    ['a JSON text', '"up"', [{ event_message: '"up"' }]],
    ['a list of numbers', '[1,2]', [{ event_message: '[1,2]' }]],
    ['JSON that is cut off', '{"message":"a', [{ event_message: '{"message":"a' }]],
    ['nothing', '', [{}]],
    ['blank lines', ' \n\n', []],
  ])('%s is read', async (_what, body, events) => {
    const harness = new Harness();

    await harness.post(body, '', { contentType });

    expect(harness.events.map(withoutIdAndTime)).toEqual(events);
  });
});

test('an object names its source', async () => {
  const { source } = await decode('{"source_name":"my.app"}', { contentType: 'text/plain' });

  expect(source).toEqual({ name: 'my.app' });
});

test('a text is an event on routes of other shapes, too', async () => {
  const harness = new Harness();

  await harness.post('it broke', '/json', { contentType: 'text/plain' });

  expect(harness.events).toMatchObject([
    { event_message: 'it broke', metadata: { message: 'it broke' } },
  ]);
});

test('there may be so many lines and no more', async () => {
  const contentType = 'text/plain';

  expect((await decode('a\n'.repeat(MAX_EVENTS), { contentType })).events).toHaveLength(MAX_EVENTS);
  await expect(decode('a\n'.repeat(MAX_EVENTS + 1), { contentType })).rejects.toMatchObject({
    status: 413,
    code: 'too_many_events',
  });
});
