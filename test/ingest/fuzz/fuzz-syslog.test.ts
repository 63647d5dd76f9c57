import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectWellFormedRows } from '../encode/well-formed-rows.ts';
import { Harness } from '../support.ts';

/** Text after a syslog header: what the reader treats in ways of its own, among arbitrary text. */
const syslogText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '-',
        ' ',
        '[',
        'a@1',
        '__proto__',
        ' x="',
        '\\',
        '"',
        ']',
        '=',
        ':',
        '\ufeff',
      ),
      fc.constantFrom(
        '{',
        '"k":[1]',
        '}',
        '\u001b[1m',
        '\u001b[K',
        '\n',
        '12 <1>1 ',
        '\ud800',
        '☕',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(''));
const syslogHeader = fc
  .tuple(
    fc.constantFrom('<0>1', '<190>1', '<192>1', '<>', '<34>99'),
    fc.constantFrom('-', '2025-06-01T12:00:00Z', '0000-00-00', 'now'),
    fc.constantFrom('- - router -', 'host app web.1 ID', 'host'),
  )
  .map((parts) => parts.join(' '));
const syslogMessage = fc
  .tuple(syslogHeader, syslogText)
  .map(([header, text]) => `${header} ${text}`.toWellFormed());

test('anything like syslog gives well-formed rows and refusals', async () => {
  const count = fc.constantFrom('', '5 ', '40 ', '999999999 ');
  const frame = fc.tuple(count, syslogMessage).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 5 }), async (frames) => {
      const harness = new Harness();
      const { stored, rejected } = await harness.post(frames.join('\n'), '/syslogs', {
        contentType: 'text/plain',
      });
      expect(harness.rows).toHaveLength(stored);
      expect(stored + rejected.length).toBeGreaterThanOrEqual(1);
      expectWellFormedRows(harness.rows);
    }),
    { numRuns: 500 },
  );
});

test('a message with an honest count is one event, whatever its text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(syslogText, { minLength: 1, maxLength: 5 }), async (texts) => {
      const harness = new Harness();
      const messages = texts.map((text) => `<190>1 - - - - - ${text}`.toWellFormed());
      const body = messages.map((message) => `${Buffer.byteLength(message)} ${message}`).join('');
      expect(
        await harness.post(body, '/syslogs', { contentType: 'application/logplex-1' }),
      ).toEqual({
        stored: messages.length,
        rejected: [],
      });
      expect(harness.rows.map((row) => JSON.parse(JSON.parse(row).metadata).message_raw)).toEqual(
        messages.map((message) => message.trimEnd()),
      );
    }),
    { numRuns: 500 },
  );
});
