import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startFaultyGateway } from './support/faulty-gateway.ts';
import { run } from './support/run.ts';
import { createInbox, type Inbox, messages, shared, startedProgram } from './support/service.ts';

const service = shared(startedProgram);

const HOUR_MS = 3_600_000;

interface Outcome {
  /** Per batch: the service's answer, or the name of the client's error. */
  readonly answers: readonly unknown[];
  /** What the client's `onError` was told. */
  readonly failures: readonly { ids: string[]; status?: number; data?: unknown }[];
}

interface SentEvent {
  readonly id: string;
  readonly message: string;
  readonly timestamp?: number;
  readonly metadata?: object;
}

/** `count` events with ids of their own. */
function eventsOf(text: string, count: number): SentEvent[] {
  return Array.from({ length: count }, (_, number) => ({
    id: randomUUID(),
    message: `${text} ${number}`,
    metadata: { number },
  }));
}

async function post(
  url: string,
  { source, key }: Inbox,
  batches: readonly (readonly SentEvent[])[],
): Promise<Outcome> {
  const setting = { url, key, source: source.token, batches: JSON.stringify(batches) };
  return JSON.parse(await run('transport-core.js', setting)) as Outcome;
}

test('logflare-transport-core delivers its batches as they are', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'core.batches');
  const timestamp = Date.now() - HOUR_MS;
  const batches = [
    eventsOf('a', 100),
    [{ id: 'own-id', message: 'zwölf\n日本 🦊', timestamp, metadata: { level: 'info', n: 1.5 } }],
  ];

  const { answers, failures } = await post(sluice.url, inbox, batches);

  expect({ answers, failures }).toEqual({
    answers: [{ message: 'Logged!' }, { message: 'Logged!' }],
    failures: [],
  });
  const events = await inbox.events();
  expect(messages(events)).toEqual(
    batches
      .flat()
      .map(({ message }) => message)
      .toSorted(),
  );
  expect(events.find(({ id }) => id === 'own-id')).toEqual({
    id: 'own-id',
    timestamp: timestamp * 1000,
    event_message: 'zwölf\n日本 🦊',
    metadata: { level: 'info', n: 1.5 },
  });
});

test('logflare-transport-core may name the source instead of giving its UUID', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'core.by_name');
  const { source, key } = inbox;
  const batches = JSON.stringify([eventsOf('named', 2)]);

  await run('transport-core.js', {
    url: sluice.url,
    key,
    source: source.token,
    source_name: source.name,
    batches,
  });

  expect(messages(await inbox.events())).toEqual(['named 0', 'named 1']);
});

test('of a batch with an event out of time all others are stored, and the client is told', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'core.rejected');
  const [early, late] = eventsOf('event', 3).toSpliced(1, 1);
  const ahead = { id: 'ahead', message: 'ahead', timestamp: Date.now() + 2 * HOUR_MS };

  const { answers, failures } = await post(sluice.url, inbox, [
    [early, ahead, late].filter((event) => event !== undefined),
  ]);

  expect(answers).toEqual(['NetworkError']);
  expect(failures).toEqual([
    {
      ids: [early?.id, 'ahead', late?.id],
      status: 406,
      data: {
        code: 'events_rejected',
        error: expect.stringContaining('2 stored'),
        message: [expect.stringMatching(/^event 1: /)],
      },
    },
  ]);
  expect(messages(await inbox.events())).toEqual(['event 0', 'event 2']);
});

test('a client without a valid key is told, and nothing is stored', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'core.unauthorized');

  const { failures } = await post(sluice.url, { ...inbox, key: 'wrong' }, [eventsOf('x', 1)]);

  expect(failures).toMatchObject([{ status: 401, data: { error: 'Unauthorized' } }]);
  expect(await inbox.events()).toEqual([]);
});

test('what was acknowledged is stored once, what was not is handed to onError', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'core.overload');
  await using gateway = await startFaultyGateway(sluice.url, ['pass', 429, 'pass', 503, 'pass']);
  const batches = ['a', 'b', 'c', 'd', 'e'].map((text) => eventsOf(text, 3));

  const { failures } = await post(gateway.url, inbox, batches);

  expect(gateway.requests.map(({ status }) => status)).toEqual([200, 429, 200, 503, 200]);
  expect(failures.map(({ ids, status }) => ({ ids, status }))).toEqual([
    { ids: batches[1]?.map(({ id }) => id), status: 429 },
    { ids: batches[3]?.map(({ id }) => id), status: 503 },
  ]);
  expect(messages(await inbox.events())).toEqual(
    ['a 0', 'a 1', 'a 2', 'c 0', 'c 1', 'c 2', 'e 0', 'e 1', 'e 2'].toSorted(),
  );
});

test('ids tell the copies of a batch apart that was sent again after a lost answer', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'core.again');
  await using gateway = await startFaultyGateway(sluice.url, ['answer lost']);
  const batch = eventsOf('once', 5);

  const { failures } = await post(gateway.url, inbox, [batch, batch]);

  expect(failures).toMatchObject([{ status: 503 }]);
  const ids = (await inbox.events()).map(({ id }) => id);
  expect(ids).toHaveLength(10);
  expect(new Set(ids)).toEqual(new Set(batch.map(({ id }) => id)));
});
