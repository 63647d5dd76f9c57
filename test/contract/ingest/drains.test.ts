import { describe, expect, test } from 'vitest';
import { send, stored, storedEvents } from './support.ts';

describe('/logs/github', () => {
  const path = '/logs/github';
  const repository = { full_name: 'acme/till', html_url: 'https://example.com/acme/till' };
  const sender = { login: 'ada', avatar_url: 'https://example.com/ada.png' };

  test('117 the message says where, who and what; links are left out', async () => {
    const body = { action: 'closed', repository, sender };

    expect(await stored({ path, body })).toEqual([
      {
        event_message: 'acme/till | ada | closed',
        metadata: {
          action: 'closed',
          repository: { full_name: 'acme/till' },
          sender: { login: 'ada' },
        },
      },
    ]);
  });

  test('118 a push is no action', async () => {
    const body = { ref: 'refs/heads/main', repository, sender };

    expect(await stored({ path, body })).toMatchObject([{ event_message: 'acme/till | ada | ' }]);
  });
});

describe('/logs/vercel', () => {
  const path = '/logs/vercel';

  test('120 the message of a request is made of its proxy', async () => {
    const proxy = {
      statusCode: 304,
      host: 'shop.example',
      path: '/cart',
      clientIp: '192.0.2.7',
      userAgent: ['Agent', 'Smith'],
    };

    expect(await stored({ path, body: [{ source: 'static', proxy }] })).toEqual([
      {
        event_message: 'static | 304 | shop.example | /cart | 192.0.2.7 | AgentSmith',
        metadata: { source: 'static', proxy: { ...proxy, userAgent: 'Agent,Smith' } },
      },
    ]);
  });

  test('121 the message of a build says whether it has one', async () => {
    const body = [{ source: 'build', message: 'Compiling' }, { source: 'build' }];

    expect(await stored({ path, body })).toEqual([
      { event_message: 'build | ', metadata: { source: 'build', message: 'Compiling' } },
      { event_message: 'build', metadata: { source: 'build' } },
    ]);
  });

  test('125 one entry has to be in a list, too', async () => {
    expect(await send({ path, body: { source: 'static' } })).toMatchObject({
      status: 400,
      answer: { code: 'list_expected' },
      events: [],
    });
  });
});

describe('the message of a lambda at /logs/vercel', () => {
  const ID = '8f2d1c7a-54be-4a6e-9d0b-3c1f2e4a5b6c';
  const AT = '2025-03-04T05:06:07.089Z';
  const START = `START RequestId: ${ID} Version: $LATEST`;
  const END = `END RequestId: ${ID}`;
  const REPORT =
    `REPORT RequestId: ${ID}\tDuration: 41.52 ms\tBilled Duration: 100 ms\t` +
    'Memory Size: 512 MB\tMax Memory Used: 91 MB\tInit Duration: 203.75 ms\t';
  const measures = {
    request_id: ID,
    report: {
      duration_ms: 42,
      billed_duration_ms: 100,
      memory_size_mb: 512,
      max_memory_used_mb: 91,
      init_duration_ms: 204,
    },
  };

  /** The parts that a message of these lines is stored with. */
  async function parts(...lines: readonly string[]): Promise<unknown> {
    const body = [{ source: 'lambda', message: lines.join('\n') }];
    const [event] = await storedEvents({ path: '/logs/vercel', body });
    const metadata = event?.metadata as { parsedLambdaMessage?: unknown } | undefined;
    return metadata?.parsedLambdaMessage;
  }

  test('122 has the call and what it took', async () => {
    expect(await parts(START, END, REPORT, '')).toEqual(measures);
  });

  test('123 has what was printed, lines that go on included', async () => {
    const printed = [`${AT}\t${ID}\tINFO\tcart {`, '  total: 7', `}`, `${AT}\t${ID}\tINFO\tdone`];

    expect(await parts(START, ...printed, END, REPORT)).toEqual({
      ...measures,
      parse_status: 'full',
      lines: [
        { timestamp: AT, level: 'info', message: 'cart {\n  total: 7\n}' },
        { timestamp: AT, level: 'info', message: 'done' },
      ],
    });
  });

  test('124 has JSON as data, what has no form as text, and says when its beginning is cut off', async () => {
    const lines = [
      [['{"total": 7}'], { parse_status: 'full', lines: [{ data: { total: 7 } }] }],
      [
        ['paid {"total": 7}'],
        { parse_status: 'full', lines: [{ message: 'paid', data: { total: 7 } }] },
      ],
      [['paid', '{7} twice'], { parse_status: 'partial', lines_string: 'paid\n{7} twice' }],
    ] as const;

    for (const [printed, expected] of lines) {
      expect(await parts(START, ...printed, END, REPORT)).toEqual({ ...measures, ...expected });
    }
    expect(await parts(`${AT}\t${ID}\tWARN\tlow`, END, REPORT)).toEqual({
      ...measures,
      message_truncated: true,
      parse_status: 'full',
      lines: [{ timestamp: AT, level: 'warn', message: 'low' }],
    });
  });
});

describe('/logs/netlify', () => {
  const path = '/logs/netlify';
  const request = {
    method: 'PUT',
    status_code: 204,
    request_id: 'r-77',
    timestamp: 1714003200123,
  };

  test('126 the message of traffic is its request; the time stands beside metadata', async () => {
    const { timestamp, ...rest } = {
      ...request,
      log_type: 'traffic',
      client_ip: '192.0.2.7',
      url: '/cart',
      user_agent: 'Agent/7',
    };

    expect(await storedEvents({ path, body: { ...rest, timestamp } })).toEqual([
      {
        id: expect.any(String),
        timestamp: 1714003200123000,
        event_message: 'traffic | PUT | 204 | 192.0.2.7 | r-77 | /cart | Agent/7',
        metadata: rest,
      },
    ]);
  });

  test('127 the message of a function is its call', async () => {
    const body = { ...request, log_type: 'functions', path: '/.netlify/functions/pay' };

    expect(await stored({ path, body })).toMatchObject([
      { event_message: 'functions | PUT | 204 | r-77 | /.netlify/functions/pay' },
    ]);
  });

  test('128 what only has a message is a validation', async () => {
    const body = { message: 'is anybody there' };

    expect(await stored({ path, body })).toEqual([
      { event_message: 'is anybody there', metadata: { log_type: 'validate' } },
    ]);
  });

  test('129 the message of traffic of another shape is its JSON', async () => {
    const metadata = { log_type: 'traffic', bytes: 512 };

    expect(await stored({ path, body: { ...metadata, timestamp: 1714003200123 } })).toEqual([
      { event_message: '{"log_type":"traffic","bytes":512}', metadata },
    ]);
  });
});

test('130 /logs/vector: message, time and project stand beside metadata, which keeps the project', async () => {
  const body = { project: 'shop', timestamp: '2024-04-25T00:00:00Z', message: 'sold', till: 4 };

  expect(await storedEvents({ path: '/logs/vector', body })).toEqual([
    {
      id: expect.any(String),
      timestamp: 1714003200000000,
      event_message: 'sold',
      project: 'shop',
      metadata: { project: 'shop', till: 4 },
    },
  ]);
});
