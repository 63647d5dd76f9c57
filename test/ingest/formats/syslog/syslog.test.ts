import { describe, expect, test } from 'vitest';
import { decode, Harness, NOW_US, SOURCE } from '../../support.ts';

const LOGPLEX = 'application/logplex-1';

/** Posts text, by default as log shippers do; its events as stored, metadata spread beside the rest. */
async function stored(text: string | Uint8Array, path = '/syslogs'): Promise<Stored[]> {
  const harness = new Harness();
  expect((await harness.post(text, path, { contentType: LOGPLEX })).rejected).toEqual([]);
  return harness.events as unknown as Stored[];
}

interface Stored {
  readonly id: string;
  readonly timestamp: number;
  readonly event_message?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A message of RFC 5424 with its text, and what else a test is about. */
function line(text: string, { processId = 'web.1', pri = 190, at = '2025-06-01T12:00:00Z' } = {}) {
  return `<${pri}>1 ${at} host app ${processId} - ${text}`;
}

function counted(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}

describe('a message', () => {
  test('is stored with all that its header says', async () => {
    const text =
      "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - 'su root' failed on /dev/pts/8";
    expect(await stored(text)).toEqual([
      {
        id: expect.any(String),
        timestamp: 1065910455003000,
        event_message: "'su root' failed on /dev/pts/8",
        metadata: {
          priority: 34,
          facility: 'auth',
          severity: 'critical',
          level: 'critical',
          hostname: 'mymachine.example.com',
          appname: 'su',
          message_id: 'ID47',
          message_text: "'su root' failed on /dev/pts/8",
          message_raw: text,
        },
      },
    ]);
  });

  test('has a time with an offset, to the microsecond', async () => {
    const [event] = await stored(
      "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time",
    );
    expect(event).toMatchObject({
      timestamp: 1061727255000003,
      event_message: "%% It's time",
      metadata: {
        facility: 'local4',
        severity: 'notice',
        hostname: '192.0.2.1',
        process_id: '8710',
      },
    });
  });

  test('of Heroku has a byte count and no structured data', async () => {
    const message =
      '<40>1 2012-11-30T06:45:26+00:00 host app web.3 - Starting process with `rackup`';
    const [event] = await stored(`${counted(`${message}\n`)}`, '/logplex');
    expect(event).toMatchObject({
      timestamp: 1354257926000000,
      event_message: 'Starting process with `rackup`',
      metadata: {
        facility: 'syslogd',
        severity: 'emergency',
        process_id: 'web.3',
        message_raw: message,
      },
    });
    expect(event?.metadata).not.toHaveProperty('sd');
  });

  test('may have nothing but a priority', async () => {
    const [event] = await stored('<0>1 - - - - -');
    expect(event).toEqual({
      id: expect.any(String),
      timestamp: NOW_US,
      metadata: {
        priority: 0,
        facility: 'kernel',
        severity: 'emergency',
        level: 'emergency',
        message_raw: '<0>1 - - - - -',
      },
    });
  });

  test.each([
    [0, 'kernel', 'emergency'],
    [14, 'user', 'info'],
    [85, 'auth', 'notice'],
    [113, 'log_alert', 'alert'],
    [131, 'local0', 'error'],
    [191, 'local7', 'debug'],
  ])('of priority %i is of %s and %s', async (pri, facility, severity) => {
    const [event] = await stored(line('x', { pri }));
    expect(event?.metadata).toMatchObject({ priority: pri, facility, severity, level: severity });
  });

  test.each(['2025-02-30T00:00:00Z', '2025-06-01T12:00:60Z', '2025-06-01T12:00:00'])(
    'with the time %s, which names no instant, happened when it arrived',
    async (at) => {
      expect(await stored(line('x', { at }))).toMatchObject([{ timestamp: NOW_US }]);
    },
  );

  test('loses its byte order mark and keeps the spaces in front', async () => {
    const events = await stored(`${line('- \ufeffcafé')}\n${line('-   indented')}\n`);
    expect(events.map((event) => event.event_message)).toEqual(['café', '  indented']);
  });

  test('keeps its colours in message_text only', async () => {
    const text = '\u001b[36mweb.1  | \u001b[0m13:30 \u001b[01;31m\u001b[Kred\u001b[m\u001b[K done';
    const [event] = await stored(line(text));
    expect(event).toMatchObject({
      event_message: 'web.1  | 13:30 red done',
      metadata: { message_text: text },
    });
  });

  test('that is not UTF-8 has U+FFFD in its place', async () => {
    const bytes = Buffer.concat([Buffer.from(line('a')), Buffer.of(0xff), Buffer.from('b')]);
    expect(await stored(bytes)).toMatchObject([{ event_message: 'a\ufffdb' }]);
  });
});

describe('structured data', () => {
  test.each<[string, string, object[], string | undefined]>([
    [
      'one element',
      '[exampleSDID@32473 iut="3" eventSource="Application" eventID="1011"] An entry',
      [{ id: 'exampleSDID@32473', iut: '3', eventSource: 'Application', eventID: '1011' }],
      'An entry',
    ],
    [
      'two elements and no message',
      '[one@1 a="1"][two@2 b="2"]',
      [
        { id: 'one@1', a: '1' },
        { id: 'two@2', b: '2' },
      ],
      undefined,
    ],
    ['spaces after it', '[one@1 a="1"]   ', [{ id: 'one@1', a: '1' }], undefined],
    ['quotes in a value', String.raw`[one@1 a="\"high\""] m`, [{ id: 'one@1', a: '"high"' }], 'm'],
    ['other escapes', String.raw`[one@1 a="\\ \] \n"] m`, [{ id: 'one@1', a: '\\ ] \\n' }], 'm'],
    ['an unescaped bracket', '[one@1 a="[x]"] m', [{ id: 'one@1', a: '[x]' }], 'm'],
    ['an element without parameters', '[one@1] m', [{ id: 'one@1' }], 'm'],
    ['a parameter named id', '[one@1 id="7" a="1"] m', [{ id: 'one@1', a: '1' }], 'm'],
    [
      'a parameter named __proto__',
      '[one@1 __proto__="7"] m',
      [JSON.parse('{"id":"one@1","__proto__":"7"}')],
      'm',
    ],
  ])('with %s', async (_case, text, sd, message) => {
    const [event] = await stored(line(text));
    expect(event?.metadata.sd).toEqual(sd);
    expect(event?.event_message).toBe(message);
  });

  test.each([
    '[info] Sent 200 in 1ms',
    '[x a="1" and more] text',
    '[x a="1"]text',
    '[x a="never closed',
    '-not nil',
    '[',
  ])('is not seen in the text %s', async (text) => {
    const [event] = await stored(line(text));
    expect(event?.event_message).toBe(text);
    expect(event?.metadata).not.toHaveProperty('sd');
  });
});

describe('JSON in a message', () => {
  test('comes first in the structured data', async () => {
    const [event] = await stored(
      line('[one@1 a="1"] Done {"user":{"id":7,"ok":true},"id":"own"} in 3ms'),
    );
    expect(event?.event_message).toMatch(/^Done \{.*\} in 3ms$/);
    expect(event?.metadata.sd).toEqual([
      { id: 'json', user: { id: 7, ok: true } },
      { id: 'one@1', a: '1' },
    ]);
  });

  test('keeps the digits of its integers', async () => {
    const harness = new Harness();
    await harness.post(line('{"n":12345678901234567890}'), '/syslogs', { contentType: LOGPLEX });
    expect(JSON.parse(harness.rows[0] ?? '').metadata).toContain('"n":12345678901234567890');
  });

  test.each([
    ['the map of another language', 'params %{"a" => 1}'],
    ['two objects', '{"a":1} and {"b":2}'],
    ['braces the wrong way round', '} {'],
    ['JSON that nests too deep', `${'{"a":'.repeat(61)}1${'}'.repeat(61)}`],
  ])('is not seen in %s', async (_case, text) => {
    const [event] = await stored(line(text));
    expect(event?.event_message).toBe(text);
    expect(event?.metadata).not.toHaveProperty('sd');
  });

  test('may nest sixty levels', async () => {
    const [event] = await stored(line(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`));
    expect(event?.metadata.sd).toMatchObject([{ id: 'json' }]);
  });
});

describe('logfmt', () => {
  test.each(['router', 'heroku-postgres', 'heroku-redis'])('of %s is read', async (processId) => {
    const text = String.raw`at=info method=GET path="/a b?q=\"x\"" status=200 empty= took:1ms`;
    const [event] = await stored(line(text, { processId }));
    expect(event?.metadata.logfmt).toEqual({
      at: 'info',
      method: 'GET',
      path: '/a b?q="x"',
      status: '200',
      took: '1ms',
    });
  });

  test.each([
    ['of any other process', 'at=info', 'web.1'],
    ['with a word that has no value', 'Error R14 at=info', 'router'],
    ['with a quote that stays open', 'at="info', 'router'],
    ['of more than a thousand pairs', 'a=1 '.repeat(1001).trim(), 'router'],
    ['of more than 65,536 characters', `a=${'1'.repeat(65_536)}`, 'router'],
  ])('%s is text', async (_case, text, processId) => {
    const [event] = await stored(line(text, { processId }));
    expect(event?.event_message).toBe(text);
    expect(event?.metadata).not.toHaveProperty('logfmt');
  });
});

describe('framing', () => {
  const multiline = line('Traceback:\n  File "app.py", line 3\n    main()');

  test.each<[string, string, string[]]>([
    ['lines', `${line('a')}\n${line('b')}\n`, ['a', 'b']],
    [
      'lines that end with CRLF, and empty ones',
      `\r\n${line('a')}\r\n\r\n${line('b')}`,
      ['a', 'b'],
    ],
    ['counts, with no line ends between', counted(line('a')) + counted(line('b')), ['a', 'b']],
    [
      'counts that include the line end',
      counted(`${line('a')}\n`) + counted(`${line('b')}\n`),
      ['a', 'b'],
    ],
    [
      'counts that leave the line end out',
      `${counted(line('a'))}\n${counted(line('b'))}\n`,
      ['a', 'b'],
    ],
    [
      'counts in bytes',
      counted(line('naïve ☕ 日本語')) + counted(line('b')),
      ['naïve ☕ 日本語', 'b'],
    ],
    [
      'counts over several lines',
      counted(`${multiline}\n`) + counted(line('b')),
      ['Traceback:\n  File "app.py", line 3\n    main()', 'b'],
    ],
    ['both framings', `${line('a')}\n${counted(line('b'))}\n${line('c')}`, ['a', 'b', 'c']],
    [
      'a count in characters',
      `${line('日本語').length} ${line('日本語')}\n${line('b')}`,
      ['日本語', 'b'],
    ],
    ['a count that is too long', `9999 ${line('a')}\n${line('b')}`, ['a', 'b']],
    ['a count that is too short', `5 ${line('a')}\n${line('b')}`, ['a', 'b']],
    ['a count of nothing', `0 ${line('a')}\n${line('b')}`, ['a', 'b']],
    ['a byte order mark before it all', `\ufeff${line('a')}`, ['a']],
    ['empty lines only', '\n \r\n', []],
  ])('by %s', async (_case, body, messages) => {
    expect((await stored(body)).map((event) => event.event_message)).toEqual(messages);
  });

  test('is not fooled by a message that looks like two', async () => {
    const text = `real\n${line('forged')}`;
    expect(await stored(counted(line(text)))).toMatchObject([{ event_message: text }]);
  });
});

describe('what is no message', () => {
  test('is refused by its index, and the others are stored', async () => {
    const harness = new Harness();
    const body = `this is not syslog\n${line('a')}\n<999>1 bad\n${line('b')}\n<34>Oct 11 22:14:15 host su: BSD`;
    const outcome = await harness.post(body, '/syslogs', { contentType: LOGPLEX });

    expect(outcome.stored).toBe(2);
    expect(outcome.rejected.map(({ index }) => index)).toEqual([0, 2, 4]);
    expect(outcome.rejected[0]?.reason).toContain('RFC 5424');
  });

  test.each([
    '<192>1 - - - - - facility 24',
    '<>1 - - - - -',
    '<1> - - - - -',
    '<1>1 yesterday - - - -',
    '<1>1 - - - -',
    `<1>1 - ${'h'.repeat(256)} - - -`,
    '123 no priority',
    '123456789 <1>1 - - - - -',
  ])('%s is refused', async (text) => {
    const outcome = await new Harness().post(text, '/syslogs', { contentType: LOGPLEX });
    expect(outcome).toMatchObject({ stored: 0, rejected: [{ index: 0 }] });
  });

  test('a hundred thousand messages are too many, found before all are read', async () => {
    const body = '<1>1 - - - - -\n'.repeat(100_001);
    await expect(
      decode(body, { path: '/syslogs', contentType: LOGPLEX, maxInflatedBytes: 10_000_000 }),
    ).rejects.toMatchObject({ status: 413, code: 'too_many_events' });
  });
});

describe.each(['/logplex', '/syslogs', '/syslog'])('%s', (path) => {
  test.each([
    LOGPLEX,
    'application/syslog',
    'text/plain',
    'Text/Plain; charset=utf-8',
    undefined,
    '',
  ])('takes messages as %j, with and without counts', async (contentType) => {
    const body = `${counted(line('a'))}\n${line('b')}`;
    const { events } = await decode(body, { path, contentType });
    expect(events).toMatchObject([{ event_message: 'a' }, { event_message: 'b' }]);
  });

  test.each(['application/json', undefined])('takes a JSON batch as %j', async (contentType) => {
    const batch = [{ message: 'a', level: 'info' }, { message: 'b' }];
    const body = { batch, source: SOURCE.token };
    expect(await decode(body, { path, contentType })).toEqual({
      events: batch,
      source: { token: SOURCE.token },
    });
  });

  test.each([
    ['an object without a batch', '{"message":"a"}', 'application/json'],
    ['a batch that is no list', '{"batch":{}}', 'application/json'],
    ['a list', '[{"message":"a"}]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['an empty JSON body', '', 'application/json'],
    ['an empty body', '', LOGPLEX],
    ['an empty body without a content type', '', undefined],
  ])('refuses %s', async (_case, body, contentType) => {
    await expect(decode(body, { path, contentType })).rejects.toMatchObject({
      status: 400,
      code: 'batch_missing',
      message: expect.stringContaining('{"batch": [...]}'),
    });
  });

  test('refuses an object without a content type that is not JSON', async () => {
    const refused = decode('{"batch":[', { path, contentType: undefined });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_json' });
  });

  test('refuses what it does not know', async () => {
    const refused = decode(line('a'), { path, contentType: 'text/html' });
    await expect(refused).rejects.toMatchObject({ status: 415, code: 'unsupported_content_type' });
  });
});
