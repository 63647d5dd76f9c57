import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { LANDING_COLUMNS, type LakeType } from '../../src/lake/columns.ts';
import { type DecodeOptions, Harness } from './support.ts';

/** Keys and values that the code treats in ways of their own, among arbitrary ones. */
const key = fc.oneof(
  fc.constantFrom(
    'id',
    'timestamp',
    'message',
    'event_message',
    'log_entry',
    'metadata',
    'project',
  ),
  fc.constantFrom(
    'batch',
    'source',
    'source_name',
    'project_ref',
    'request',
    'response',
    'headers',
  ),
  fc.constantFrom('level', 'status_code', 'origin_time', 'path', 'user-agent', 'cf', 'parsed'),
  fc.constantFrom('__proto__', 'constructor', 'toJSON', 'rawJSON', '', 'a-b', 'a.b', '_a_b'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const scalar = fc.oneof(
  fc.constantFrom(null, '', [], {}, true, false, 0, 7, 1.5, 1713268565, 1713268565764),
  fc.constantFrom('2024-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '\ud800', '\u0000', '\u2028\n'),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 8 }).map(Object.fromEntries),
  ),
}));
/** JSON text, some of its integers too long for a double. */
const body = fc.tuple(value, fc.bigInt()).map(([json, integer]) => {
  return JSON.stringify(json).replaceAll(/(?<=[:,[])7(?=[,}\]])/g, String(integer));
});

const COLUMNS: ReadonlyMap<string, LakeType> = new Map(
  LANDING_COLUMNS.map(({ name, type }) => [name, type]),
);

const FITS: Readonly<Record<LakeType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value.isWellFormed(),
  bigint: (value) => Number.isInteger(value),
  double: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(value),
};

function isCleaned(json: unknown): boolean {
  if (Array.isArray(json)) return json.length > 0 && json.every(isCleaned);
  if (typeof json !== 'object') return json !== '';
  if (json === null) return false;
  const entries = Object.entries(json);
  return (
    entries.length > 0 && entries.every(([name, member]) => /^\w*$/.test(name) && isCleaned(member))
  );
}

function expectWellFormedRows(rows: readonly string[]): void {
  for (const row of rows) {
    expect(row).not.toContain('\n');
    const columns = JSON.parse(row);
    for (const [name, column] of Object.entries(columns)) {
      const type = COLUMNS.get(name);
      expect(type !== undefined && FITS[type](column), `${name}: ${JSON.stringify(column)}`).toBe(
        true,
      );
    }
    if (columns.metadata !== undefined) expect(isCleaned(JSON.parse(columns.metadata))).toBe(true);
    if (columns.body !== undefined) expect(isCleaned(JSON.parse(columns.body))).toBe(true);
  }
}

test.each(['', '/json', '/syslogs'])(
  'any JSON posted to "%s" gives well-formed rows or a ServiceError',
  async (path) => {
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const harness = new Harness();
        try {
          const { stored } = await harness.post(text, path);
          expect(harness.rows).toHaveLength(stored);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
        expectWellFormedRows(harness.rows);
      }),
      { numRuns: 500 },
    );
  },
);

test('any bytes posted give rows or a ServiceError', async () => {
  const route = fc.constantFrom<[path: string, options: DecodeOptions]>(
    ['', {}],
    ['/json', {}],
    ['/syslogs', { contentType: 'application/logplex-1' }],
    ['/logplex', { contentType: undefined }],
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), route, async (bytes, [path, options]) => {
      const harness = new Harness();
      await harness.post(bytes, path, options).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ServiceError);
      });
      for (const row of harness.rows) expect(() => JSON.parse(row)).not.toThrow();
    }),
  );
});

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

test('an event stored once is stored the same again', async () => {
  const name = fc.stringMatching(/^[a-zA-Z_][a-z0-9_]{0,6}$/);
  const json = fc.dictionary(
    name,
    fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean()),
  );
  await fc.assert(
    fc.asyncProperty(json, async (event) => {
      const harness = new Harness();
      await harness.store([{ ...event, timestamp: 1 }]);
      await harness.store(harness.events);
      expect(harness.events[1]).toEqual(harness.events[0]);
    }),
  );
});
