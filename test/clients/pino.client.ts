import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { acknowledged, startFaultyGateway } from './support/faulty-gateway.ts';
import { run } from './support/run.ts';
import {
  createInbox,
  distinct,
  type Inbox,
  messages,
  numbered,
  shared,
  startedProgram,
} from './support/service.ts';

const CLI = fileURLToPath(new URL('node_modules/pino-logflare/dist/cli.js', import.meta.url));

const service = shared(startedProgram);

function setting({ source, key }: Inbox, url = service().sluice.url) {
  return { url, key, source: source.token };
}

/** The JSON of each line. */
function lines(printed: string): unknown[] {
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Whether a stored timestamp (microseconds) lies between two clock readings (milliseconds). */
function isBetween(timestamp: unknown, from: number, to: number): boolean {
  return Number(timestamp) >= from * 1000 && Number(timestamp) <= to * 1000;
}

// pino-logflare 0.5.2 posts the batch that it holds a second time if it is closed meanwhile, so what
// was posted is counted at the gateway, and ids tell the copies apart.
test.each([
  { batches: 'single events', count: '60', batch_size: '1' },
  { batches: 'batches', count: '250', batch_size: '100' },
])('the transport of pino-logflare delivers what a program logs, in $batches', async (options) => {
  const { sluice } = service();
  const { count, batch_size } = options;
  const inbox = await createInbox(sluice, `pino.transport_${batch_size}`);
  await using gateway = await startFaultyGateway(sluice.url, []);
  const begun = Date.now();

  const printed = await run('pino-transport.js', {
    ...setting(inbox, gateway.url),
    count,
    batch_size,
  });

  expect(printed).toBe('');
  const stored = await inbox.events();
  expect(messages(stored)).toEqual(acknowledged(gateway));
  const events = distinct(stored);
  expect(messages(events)).toEqual(numbered('transport', Number(count)));
  expect(events.filter(({ timestamp }) => !isBetween(timestamp, begun, Date.now()))).toEqual([]);
  expect(events.find(({ event_message }) => event_message === 'transport 7')).toMatchObject({
    metadata: {
      number: 7,
      user: { name: 'Zoë' },
      level: 'info',
      context: { host: expect.any(String), pid: expect.any(Number) },
    },
  });
});

test('the transport loses nothing that was acknowledged, and reports what was not', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'pino.overload');
  await using gateway = await startFaultyGateway(sluice.url, ['pass', 429, 'pass', 503]);

  const printed = await run('pino-transport.js', {
    ...setting(inbox, gateway.url),
    count: '6',
    batch_size: '1',
  });

  expect(gateway.requests.slice(0, 4).map(({ status }) => status)).toEqual([200, 429, 200, 503]);
  expect(lines(printed)).toEqual([
    { events: 1, status: 429 },
    { events: 1, status: 503 },
  ]);
  const stored = messages(await inbox.events());
  expect(stored).toEqual(acknowledged(gateway));
  expect([...new Set(stored)]).toEqual([0, 2, 4, 5].map((number) => `transport ${number}`));
});

test('createWriteStream delivers all levels, children and errors', async () => {
  const inbox = await createInbox(service().sluice, 'pino.stream');

  await run('pino-stream.js', setting(inbox));

  const events = await inbox.events();
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
  expect(messages(events)).toEqual(
    [
      ...levels.map((level) => `stream ${level}`),
      ...numbered('stream', 50),
      'stream failed',
    ].toSorted(),
  );
  const metadataOf = (message: string) =>
    events.find(({ event_message }) => event_message === message)?.metadata;
  expect(levels.map((level) => metadataOf(`stream ${level}`))).toMatchObject([
    { was: 'trace', level: 'debug' },
    { was: 'debug', level: 'debug' },
    { was: 'info', level: 'info' },
    { was: 'warn', level: 'warning' },
    { was: 'error', level: 'error' },
    { was: 'fatal', level: 'critical' },
  ]);
  expect(metadataOf('stream 49')).toMatchObject({
    number: 49,
    requestId: 'r-1',
    context: { service: 'cart' },
  });
  expect(metadataOf('stream failed')).toMatchObject({
    err: { type: 'TypeError', message: 'no such item', stack: expect.stringContaining('at ') },
  });
});

test("pino's browser transmit delivers every event", async () => {
  const inbox = await createInbox(service().sluice, 'pino.browser');
  const begun = Date.now();

  await run('pino-browser.js', setting(inbox));

  const events = await inbox.events();
  expect(messages(events)).toEqual(numbered('browser', 5));
  expect(events[4]).toMatchObject({
    metadata: { number: 4, page: '/cart', level: 'warning', browser: true },
  });
  expect(isBetween(events[4]?.timestamp, begun, Date.now())).toBe(true);
});

test('the command pino-logflare delivers what it reads from a pipe, and prints it', async () => {
  const inbox = await createInbox(service().sluice, 'pino.pipe');
  const { source, key } = inbox;
  const output = await run('pino-output.js', setting(inbox));

  const printed = await run(CLI, setting(inbox), {
    input: output,
    args: ['--key', key, '--source', source.token, '--url', service().sluice.url],
  });

  expect(printed).toBe(output);
  expect(messages(await inbox.events())).toEqual(
    [...numbered('piped', 30), 'piped child'].toSorted(),
  );
});
