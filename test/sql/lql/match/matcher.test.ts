import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawNumber } from '../../../../src/platform/json/json.ts';
import { SqlError } from '../../../../src/sql/common/sql-error.ts';
import { parseMatcher } from '../../../../src/sql/lql/match/matcher.ts';

const matches = (lql: string, event: object): boolean => parseMatcher(lql)({ ...event });
const withLevel = (level: unknown) => ({ metadata: { level } });

describe('facts of Logflare', () => {
  test.each([
    ['warn', true],
    ['info', false],
    ['error', false],
  ])('90 level %s meets "not info and not error": %s', (level, expected) => {
    expect(matches('-metadata.level:info -metadata.level:error', withLevel(level))).toBe(expected);
  });

  test('91 a text counts as a list of one', () => {
    const lql = 'metadata.user_agent:@>Chrome';

    expect(matches(lql, { metadata: { user_agent: 'Chrome' } })).toBe(true);
    expect(matches(lql, { metadata: { user_agent: 'HomeAssistant/2023' } })).toBe(false);
  });

  test('92 a path leads through lists of objects, to any of their elements', () => {
    const metadata = { lines: [{ data: { field1: { field2: { field3: 'x' } } } }, { data: {} }] };

    expect(matches('metadata.lines.data.field1.field2.field3:x', { metadata })).toBe(true);
    expect(matches('metadata.lines.data.field1.field2.field3:y', { metadata })).toBe(false);
  });
});

describe('a filter on', () => {
  test.each([
    ['error', { event_message: 'an error occurred' }],
    ['"not found"', { event_message: 'page not found' }],
    ['~"5\\d\\d$"', { event_message: 'GET 503' }],
    ['~"(?i)ERROR"', { event_message: 'error' }],
    ['level:error', { level: 'error' }],
    ['m.status:200', { metadata: { status: 200 } }],
    ['m.status:200.0', { metadata: { status: 200 } }],
    ['m.status:(200)', { metadata: { status: '200' } }],
    ['m.ok:true', { metadata: { ok: true } }],
    ['a:"-5"', { a: -5 }],
    ['a:>5', { a: 5.5 }],
    ['a:>=5 a:<=5', { a: 5 }],
    ['a:<b', { a: 'a' }],
    ['a:200..299', { a: 299 }],
    ['a:2026-01-01..2026-01-31', { a: '2026-01-15' }],
    ['m.level:warning..critical', withLevel('error')],
    ['a:~"^/rest/"', { a: '/rest/v1' }],
    ['a:~"^20"', { a: 204 }],
    ['a:~true', { a: true }],
    ['a:NULL', { b: 1 }],
    ['-a:NULL', { a: 1 }],
    ['m.tags:@>prod', { metadata: { tags: ['dev', 'prod'] } }],
    ['m.tags:@>~"^pr"', { metadata: { tags: ['dev', 'prod'] } }],
    ['m.ids:@>7', { metadata: { ids: [5, 7] } }],
    ['-m.tags:@>prod', { metadata: { tags: ['dev'] } }],
    ['id:x', { id: 'x' }],
    ['project:p', { project: 'p' }],
    ['m.id:9007199254740993', { metadata: { id: rawNumber('9007199254740993') } }],
    ['m.id:>9007199254740993', { metadata: { id: rawNumber('9007199254740994') } }],
    ['constructor:x', JSON.parse('{"constructor": "x"}')],
    ['__proto__:x', JSON.parse('{"__proto__": "x"}')],
    ['m.level:info t:last@5m s:id f:other', withLevel('info')],
  ])('%s is met by %j', (lql, event) => {
    expect(matches(lql, event)).toBe(true);
  });

  test.each([
    ['error', { event_message: 'ERROR' }],
    ['error', { event_message: undefined }],
    ['-error', {}],
    ['-a:1', { b: 1 }],
    ['-m.a.b:1', { metadata: { a: 1 } }],
    ['m.status:200', { metadata: { status: '200' } }],
    ['m.status:(200)', { metadata: { status: 200 } }],
    ['m.ok:true', { metadata: { ok: 'true' } }],
    ['a:>5', { a: '6' }],
    ['a:>b', { a: 6 }],
    ['a:200..299', { a: 300 }],
    ['m.level:warning..critical', withLevel('info')],
    ['a:~x', { a: { x: 1 } }],
    ['a:~x', { a: ['x'] }],
    ['a:x', { a: ['x'] }],
    ['a:NULL', { a: false }],
    ['m.tags:@>pro', { metadata: { tags: ['prod'] } }],
    ['-m.tags:@>prod', { metadata: { tags: ['dev', 'prod'] } }],
    ['m.id:9007199254740993', { metadata: { id: rawNumber('9007199254740992') } }],
    ['constructor:~"."', {}],
    ['__proto__:~"."', {}],
    ['toString:~"."', { metadata: {} }],
    ['a:1 b:2', { a: 1, b: 3 }],
  ])('%s is not met by %j', (lql, event) => {
    expect(matches(lql, event)).toBe(false);
  });

  test('texts orders them by code point, as the engines do', () => {
    expect(matches('a:>(\uffee)', { a: '\u{1F600}' })).toBe(true);
    expect(matches('a:<(\uffee)', { a: '\ue000' })).toBe(true);
  });
});

describe('a text is refused, and why and where is said, when', () => {
  test.each([
    ['it has no filter', 's:id', 'A filter is missing'],
    ['all its filters are about the time', 't:>2020-01-01', 'A filter is missing'],
    ['it is empty', '', 'A filter is missing'],
    ['it is no LQL', 'a:1 b:', 'metadata filter value: "" (line 1, column 7)'],
    ['its time is none', 'a:1 t:soon', "got 'soon' (line 1, column 7)"],
    ['a pattern is wrong', 'a:~"["', 'The pattern is wrong: error parsing regexp'],
    ['a pattern looks ahead, which RE2 cannot', '~"a(?=b)"', '(line 1, column 2)'],
    ['a pattern is too large', 'a:~"(a{1000}){9}"', 'The pattern is wrong'],
    [
      'a pattern is too large in sum',
      `a:~"${'a{300}'.repeat(4)}"`,
      'too large once its repetitions',
    ],
  ])('%s', (_, lql, message) => {
    expect(() => parseMatcher(lql)).toThrow(SqlError);
    expect(() => parseMatcher(lql)).toThrow(message);
  });
});

test('a pattern on which others backtrack for ages is answered', () => {
  const text = 'x'.repeat(200_000);

  expect(matches('~"(x+x+)+y"', { event_message: text })).toBe(false);
  expect(matches('~"^(.*a){20}b$"', { event_message: 'a'.repeat(200_000) })).toBe(false);
});

test('any text is refused or tells of any event whether it fits', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'm.level',
      ':',
      ':>',
      ':~',
      ':@>',
      ':@>~',
      '..',
      '-',
      '~',
      '"',
      '(',
      ')',
      '[',
      '*',
      '+',
    ],
    ...[' ', '5', '1.5', 'NULL', 'true', 'debug', 'error', '2026-01-02', '{', '}', '\\', 'é', '|'],
  );
  const lql = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join('')),
    fc.string({ maxLength: 20 }).map((text) => `a:~${JSON.stringify(text)}`),
  );
  fc.assert(
    fc.property(
      lql,
      fc.dictionary(fc.constantFrom('a', 'metadata'), fc.jsonValue()),
      (text, event) => {
        try {
          expect(typeof matches(text, event)).toBe('boolean');
        } catch (error) {
          expect(error).toBeInstanceOf(SqlError);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
