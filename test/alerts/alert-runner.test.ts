import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AlertRunner } from '../../src/alerts/alert-runner.ts';
import type { Checked } from '../../src/alerts/check/checker.ts';
import { AlertHistory } from '../../src/alerts/history/alert-history.ts';
import type { Alert } from '../../src/alerts/model/alert.ts';
import { Notifier } from '../../src/alerts/notify/notifier.ts';
import { Outbox } from '../../src/alerts/outbox.ts';
import { CLAIM_MS, DynamoAlertRecords } from '../../src/alerts/store/alert-records.ts';
import { dynamoAlertStore } from '../../src/alerts/store/alert-store.ts';
import { SchemaInference } from '../../src/lake/schema/schema-inference.ts';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import { RegistryTable } from '../../src/platform/dynamo/registry-table.ts';
import { recordingLogger } from '../http/support.ts';
import { aSource, openDatabase, type TestDatabase } from '../support/registry.ts';
import { anAlert, BUSY, checked, FakeChannels, GONE } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.registry().createSource(aSource({ name: 'sluice.alerts' }));
});
afterAll(() => database.close());

/** All processes of a deployment: they share the tables, the engine and the targets. */
let targets: FakeChannels;
let alerts: ReturnType<typeof dynamoAlertStore>;
let records: DynamoAlertRecords;
let rows: string[];
let checks: string[];
let answer: (alert: Alert) => Promise<Checked | 'running'>;
beforeEach(async () => {
  const { client, clock } = database;
  targets = new FakeChannels();
  const table = new RegistryTable(client, LOCAL_TABLES.registry);
  alerts = dynamoAlertStore({ table, clock });
  records = new DynamoAlertRecords({ client, table: LOCAL_TABLES.cache, clock });
  for (const { token } of await alerts.list()) {
    await alerts.delete(token);
    await records.remove(token);
  }
  rows = [];
  checks = [];
  answer = async () => checked('breach');
});

/** One process. */
function process(): AlertRunner {
  const { clock } = database;
  const { logger } = recordingLogger();
  const registry = database.registry();
  const sink = { write: async (written: readonly string[]) => void rows.push(...written) };
  const inference = new SchemaInference({ registry, logger });
  const history = new AlertHistory({ sink, registry, inference, clock, logger });
  const notifier = new Notifier({ channels: targets.channels, clock, sleep: async () => {} });
  return new AlertRunner({
    alerts,
    records,
    checker: {
      check: (alert) => {
        checks.push(alert.name);
        return answer(alert);
      },
    },
    outbox: new Outbox({ notifier, history, clock, logger }),
    history,
    clock,
    logger,
  });
}

async function create(fields: Partial<Alert> = {}): Promise<Alert> {
  const updatedAt = new Date(database.clock.now()).toISOString();
  const alert = anAlert({ updatedAt, ...fields });
  await alerts.create(alert);
  return alert;
}
const kinds = () => targets.sent.map(({ kind }) => kind);
const minuteLater = (runner: AlertRunner) => {
  database.clock.advance(60_000);
  return runner.runOnce();
};
const metadata = () => rows.map((row) => JSON.parse(JSON.parse(row).metadata));

describe('a pass', () => {
  test('checks what is due, and nothing before its time', async () => {
    await create({ every_minutes: 10 });
    const runner = process();

    expect(await runner.runOnce()).toMatchObject({ due: 1, checked: 1 });
    expect(await runner.runOnce()).toMatchObject({ due: 0 });
    database.clock.advance(10 * 60_000);
    expect(await runner.runOnce()).toMatchObject({ due: 1, checked: 1 });

    expect(kinds()).toEqual(['firing']);
  });

  test('leaves alone what is disabled, and what a cron is not due for', async () => {
    await create({ enabled: false });
    await create({ cron: '0 0 1 1 *', every_minutes: null });

    expect(await minuteLater(process())).toMatchObject({ due: 0 });
  });

  test('makes up for missed checks by one', async () => {
    await create();
    const runner = process();
    await runner.runOnce();
    database.clock.advance(3_600_000);

    await runner.runOnce();
    await runner.runOnce();

    expect(checks).toHaveLength(2);
  });

  test('goes on with the others where one fails', async () => {
    await create({ name: 'a' });
    await create({ name: 'b' });
    answer = async ({ name }) => {
      if (name === 'a') throw new Error('out of order');
      return checked('breach');
    };

    expect(await process().runOnce()).toMatchObject({ checked: 1, failed: 1 });
    expect(targets.sent.map(({ alert }) => alert.name)).toEqual(['b']);
  });

  test('looks again in a minute at what may mend itself, whatever the schedule', async () => {
    const { token } = await create({ every_minutes: 1_440 });
    answer = async () => checked('error', true);
    const runner = process();

    await runner.runOnce();
    await minuteLater(runner);
    expect(kinds()).toEqual([]);
    await minuteLater(runner);

    expect(kinds()).toEqual(['error']);
    expect((await records.find(token))?.state.status).toBe('error');
    expect(await minuteLater(runner)).toMatchObject({ due: 0 });
  });

  test('collects in the next one what was running, and keeps count of how long', async () => {
    const { token } = await create({ every_minutes: 60 });
    answer = async () => 'running';
    const runner = process();
    const began = database.clock.now();

    expect(await runner.runOnce()).toMatchObject({ running: 1 });
    await minuteLater(process());
    expect((await records.find(token))?.runningSince).toBe(began);
    answer = async () => checked('breach');
    expect(await minuteLater(runner)).toMatchObject({ checked: 1 });

    expect(kinds()).toEqual(['firing']);
    expect((await records.find(token))?.runningSince).toBeNull();
  });

  test('begins to count anew when the definition was changed', async () => {
    const alert = await create({ for_checks: 2 });
    const runner = process();
    await runner.runOnce();
    const updatedAt = new Date(database.clock.now()).toISOString();
    await alerts.update({ ...alert, query: 'select 2', version: 2, updatedAt }, alert);

    await runner.runOnce();
    expect((await records.find(alert.token))?.state).toMatchObject({
      status: 'pending',
      breaches: 1,
    });
  });

  test('writes each change of state and each delivery down', async () => {
    await create({ name: 'noted', labels: 'team=a' });
    const runner = process();
    await runner.runOnce();
    answer = async () => checked('clear');
    await minuteLater(runner);

    expect(metadata()).toMatchObject([
      { event: 'state', alert: 'noted', labels: 'team=a', previous_status: 'ok', status: 'firing' },
      { event: 'notification', kind: 'firing', delivery: 'delivered', http_status: 200 },
      { event: 'state', previous_status: 'firing', status: 'resolved' },
      { event: 'notification', kind: 'resolved', delivery: 'delivered' },
    ]);
  });
});

describe('several processes', () => {
  test('check an alert that is due for all of them once, and tell of it once', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const processes = [process(), process(), process(), process()];

    await Promise.all(processes.map((runner) => runner.runOnce()));
    await Promise.all(processes.map((runner) => runner.runOnce()));

    expect(checks.sort()).toEqual(['a', 'b', 'c']);
    expect(targets.sent.map(({ alert }) => alert.name).sort()).toEqual(['a', 'b', 'c']);
  });

  test('do not look at an alert while one of them waits for its query', async () => {
    await create();
    const { promise, resolve } = Promise.withResolvers<Checked>();
    answer = () => promise;
    const first = process().runOnce();
    await expect.poll(() => checks.length).toBe(1);

    expect(await process().runOnce()).toMatchObject({ busy: 1, checked: 0 });
    resolve(checked('breach'));
    await first;

    expect(kinds()).toEqual(['firing']);
  });

  test('take over from one that stood still, which then tells nothing', async () => {
    await create();
    const { promise, resolve } = Promise.withResolvers<Checked>();
    answer = () => promise;
    const first = process().runOnce();
    await expect.poll(() => checks.length).toBe(1);
    database.clock.advance(CLAIM_MS + 1);
    answer = async () => checked('breach');

    await process().runOnce();
    resolve(checked('breach'));
    expect(await first).toMatchObject({ busy: 1, checked: 0 });

    expect(kinds()).toEqual(['firing']);
  });

  test('deliver what one of them decided before it died, under the same id', async () => {
    const { token } = await create();
    targets.answers = [BUSY, BUSY, BUSY];
    await process().runOnce();
    const [decided] = (await records.find(token))?.outbox ?? [];

    await minuteLater(process());

    expect(targets.sent.at(-1)?.id).toBe(decided?.notification.id);
    expect(new Set(targets.sent.map(({ id }) => id)).size).toBe(1);
  });

  test('tell nothing of an alert that was deleted while its query ran', async () => {
    const alert = await create();
    const { promise, resolve } = Promise.withResolvers<Checked>();
    answer = () => promise;
    const first = process().runOnce();
    await expect.poll(() => checks.length).toBe(1);

    await alerts.delete(alert.token);
    await records.remove(alert.token);
    resolve(checked('breach'));
    await first;

    expect(kinds()).toEqual([]);
    expect(await records.find(alert.token)).toBeUndefined();
  });
});

describe('a target that fails', () => {
  test('is tried three times in a pass, and in the next ones', async () => {
    const { token } = await create({ every_minutes: 60 });
    targets.answers = Array(4).fill(BUSY);
    const runner = process();

    await runner.runOnce();
    expect(targets.sent).toHaveLength(3);
    await minuteLater(runner);

    expect(targets.sent).toHaveLength(5);
    expect((await records.find(token))?.outbox).toEqual([]);
  });

  test('is given up after 15 minutes, which is written down', async () => {
    const { token } = await create({ every_minutes: 1_440 });
    targets.answers = Array(100).fill(BUSY);
    const runner = process();
    for (let minute = 0; minute < 17; minute++) await minuteLater(runner);

    expect((await records.find(token))?.outbox).toEqual([]);
    expect(metadata().at(-1)).toMatchObject({ event: 'notification', delivery: 'failed' });
    expect(targets.sent).toHaveLength(45);
  });

  test('is given up at once where it says no', async () => {
    const { token } = await create();
    targets.answers = [GONE];

    await process().runOnce();

    expect(targets.sent).toHaveLength(1);
    expect((await records.find(token))?.outbox).toEqual([]);
    expect(metadata().at(-1)).toMatchObject({ delivery: 'failed', http_status: 410 });
  });

  test('does not hold up others, and hears of things in their order', async () => {
    await create({
      targets: [
        { id: 'a', type: 'slack', url: 'https://a.example.com/' },
        { id: 'b', type: 'sns' },
      ],
    });
    const runner = process();
    const { slack } = targets.channels;
    const failing = {
      send: async (...call: Parameters<typeof slack.send>) => {
        await slack.send(...call);
        return BUSY;
      },
    };
    Object.assign(targets.channels, { slack: failing });
    await runner.runOnce();
    answer = async () => checked('clear');
    await minuteLater(runner);

    const toSns = targets.sent.length;
    Object.assign(targets.channels, { slack });
    await minuteLater(runner);

    // Three attempts at the first notification in each pass, and one for each that b got.
    expect(toSns).toBe(3 + 1 + 3 + 1);
    expect(kinds().slice(toSns)).toEqual(['firing', 'resolved']);
  });
});
