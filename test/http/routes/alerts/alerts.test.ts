import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator } from '../../../../src/access/authenticator.ts';
import { generateKey, hashKey } from '../../../../src/access/keys.ts';
import { Notifier } from '../../../../src/alerts/notify/notifier.ts';
import { noSns } from '../../../../src/alerts/notify/sns.ts';
import { MAX_ALERTS, SavedAlerts } from '../../../../src/alerts/saved-alerts.ts';
import { DynamoAlertRecords } from '../../../../src/alerts/store/alert-records.ts';
import { dynamoAlertStore } from '../../../../src/alerts/store/alert-store.ts';
import { createHttpApp } from '../../../../src/http/app.ts';
import { addAlertRoutes } from '../../../../src/http/routes/alerts/alert-routes.ts';
import { LOCAL_TABLES } from '../../../../src/local/dynalite/dynamodb.ts';
import { RegistryTable } from '../../../../src/platform/dynamo/registry-table.ts';
import type { QueryDraft } from '../../../../src/query/plan/compile-call.ts';
import { SqlError } from '../../../../src/sql/common/sql-error.ts';
import { BUSY, FakeChannels } from '../../../alerts/support.ts';
import {
  anAccessKey,
  anEndpoint,
  aSource,
  openDatabase,
  type TestDatabase,
} from '../../../support/registry.ts';
import { recordingLogger } from '../../support.ts';
import { invalid, NO_CONTENT, NOT_FOUND, UUID } from '../management/support.ts';

interface Shown extends Record<string, unknown> {
  readonly token: string;
  readonly targets: readonly { readonly id: string; readonly secret: string | null }[];
}

let database: TestDatabase;
let targets: FakeChannels;
let checked: QueryDraft[];
let call: (
  method: string,
  path: string,
  body?: unknown,
  key?: string,
) => Promise<{ status: number; body: Shown }>;
const keys = { manager: generateKey(), reader: generateKey() };
const source = aSource({ name: 'shop.logs' });
const endpoint = anEndpoint({ name: 'shop.errors' });

beforeAll(async () => {
  database = await openDatabase();
  const registry = database.registry();
  await registry.createSource(source);
  await registry.createEndpoint(endpoint);
  const { manager, reader } = keys;
  await registry.createAccessKey(anAccessKey({ hash: hashKey(manager), scopes: ['private'] }));
  await registry.createAccessKey(
    anAccessKey({ hash: hashKey(reader), scopes: ['query', 'ingest'] }),
  );
});
afterAll(() => database.close());

beforeEach(async () => {
  const { client, clock } = database;
  const registry = database.registry();
  targets = new FakeChannels();
  Object.assign(targets.channels, { sns: noSns });
  checked = [];
  const alerts = dynamoAlertStore({
    table: new RegistryTable(client, LOCAL_TABLES.registry),
    clock,
  });
  for (const { token } of await alerts.list()) await alerts.delete(token);
  const app = createHttpApp({ logger: recordingLogger().logger, clock });
  const saved = new SavedAlerts({
    alerts,
    records: new DynamoAlertRecords({ client, table: LOCAL_TABLES.cache, clock }),
    registry,
    checkQuery: async (draft) => {
      checked.push(draft);
      if (draft.query === 'selct') throw new SqlError('sql_syntax', 'There is no selct.');
      const parsed = {
        parameters: [],
        sources: [],
        endpoints: [],
        columns: [],
        tables: [],
        truncated: false,
      };
      return { source_mapping: {}, warnings: ['look here'], parsed };
    },
    runner: {
      explain: async (_endpoint, input) => {
        if (input.lql === '((') throw new SqlError('lql_syntax', 'What is this?');
        return { athena: '', duckdb: '', columns: [], scans: [], warnings: [] };
      },
    },
    notifier: new Notifier({ channels: targets.channels, clock, sleep: async () => {} }),
    clock,
  });
  const authenticator = new Authenticator({ registry, clock });
  addAlertRoutes(app, { authenticator, clock, alerts: { saved, reach: { allowLocal: false } } });
  call = async (method, path, body, key = keys.manager) => {
    const response = await app.request(path, {
      method,
      headers: { 'X-API-KEY': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
});

const HOOK = 'https://hooks.example.com/a';
const draft = (fields: object = {}) => ({
  name: `alert-${randomUUID()}`,
  query: 'select 1',
  every_minutes: 5,
  ...fields,
});
const create = async (fields: object = {}) => {
  const answer = await call('POST', '/api/alerts', draft(fields));
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body;
};

describe('creating an alert', () => {
  test('fills in the defaults', async () => {
    const answer = await call('POST', '/api/alerts', {
      name: 'minimal',
      query: 'select 1',
      cron: '*/15 * * * *',
    });

    expect(answer).toEqual({
      status: 201,
      body: {
        id: answer.body.token,
        token: expect.stringMatching(UUID),
        name: 'minimal',
        description: null,
        labels: null,
        enabled: true,
        query: 'select 1',
        language: 'bq_sql',
        parameters: {},
        source_mapping: {},
        source: null,
        window_minutes: 10,
        endpoint: null,
        cron: '*/15 * * * *',
        timezone: 'UTC',
        every_minutes: null,
        condition: { type: 'any_rows' },
        for_checks: 1,
        no_data: 'no_data',
        repeat_minutes: 240,
        muted_until: null,
        targets: [],
        webhook_notification_url: null,
        slack_hook_url: null,
        version: 1,
        state: {
          status: 'ok',
          since: null,
          checked_at: null,
          next_check_at: '2026-01-02T03:15:00.000Z',
          value: null,
          rows: null,
          error: null,
          checks_in_a_row: 0,
          notified: null,
          notified_at: null,
          undelivered: 0,
        },
        inserted_at: '2026-01-02T03:04:05.678Z',
        updated_at: '2026-01-02T03:04:05.678Z',
        warnings: ['look here'],
      },
    });
  });

  test('shows the secret of a webhook once, and in no other answer', async () => {
    const alert = await create({ targets: [{ type: 'webhook', url: HOOK }] });
    const [{ secret } = { secret: null }] = alert.targets;

    expect(secret).toMatch(/^whsec_/);
    const later = [
      await call('GET', `/api/alerts/${alert.token}`),
      await call('GET', '/api/alerts'),
      await call('PUT', `/api/alerts/${alert.token}`, { description: 'new' }),
      await call('POST', `/api/alerts/${alert.token}/mute`, { minutes: 5 }),
      await call('POST', `/api/alerts/${alert.token}/test`),
    ];
    for (const answer of later) expect(JSON.stringify(answer)).not.toContain(secret);
  });

  test("takes Logflare's fields", async () => {
    const alert = await create({
      cron: '*/5 * * * *',
      every_minutes: null,
      language: 'bq_sql',
      webhook_notification_url: HOOK,
      slack_hook_url: 'https://hooks.slack.com/services/x',
      backends: [],
      backend_ids: [],
    });

    expect(alert).toMatchObject({
      targets: [
        { type: 'webhook', url: HOOK, secret: expect.stringMatching(/^whsec_/) },
        { type: 'slack', url: 'https://hooks.slack.com/services/x' },
      ],
      webhook_notification_url: HOOK,
      slack_hook_url: 'https://hooks.slack.com/services/x',
    });
  });

  test('gives the types of parameters to the compiler', async () => {
    await create({ parameters: { level: 'error', n: 3, share: 0.5, deep: true } });

    expect(checked[0]?.parameters.map(({ name, type }) => [name, type])).toEqual([
      ['level', 'string'],
      ['n', 'int64'],
      ['share', 'float64'],
      ['deep', 'bool'],
    ]);
  });

  test('finds sources and endpoints by name or token', async () => {
    const lql = { language: 'lql', query: 'm.level:error' };
    expect(await create({ ...lql, source: 'shop.logs' })).toMatchObject({ source: source.token });
    expect(await create({ ...lql, source: source.token })).toMatchObject({ source: source.token });
    const called = await create({ query: null, endpoint: 'shop.errors' });
    expect(called).toMatchObject({ query: null, endpoint: endpoint.token });
  });

  test.each<[object, Record<string, string[]>]>([
    [{ query: null }, { query: ["can't be blank"] }],
    [{ query: 'selct' }, { query: ['There is no selct.'] }],
    [{ query: 'x'.repeat(65_537) }, { query: ['should be at most %{count} character(s)'] }],
    [{ language: 'lql' }, { source: ["can't be blank: LQL is about one source"] }],
    [{ language: 'lql', source: 'nowhere' }, { source: ['does not exist'] }],
    [{ language: 'lql', source: 'shop.logs', query: '((' }, { query: ['What is this?'] }],
    [{ language: 'pg_sql' }, { language: ['is invalid'] }],
    [{ query: null, endpoint: 'nowhere' }, { endpoint: ['does not exist'] }],
    [{ endpoint: 'shop.errors' }, { endpoint: ['cannot be given together with query'] }],
    [{ every_minutes: null }, { cron: ["can't be blank"] }],
    [{ every_minutes: 0 }, { every_minutes: ['must be greater than or equal to %{number}'] }],
    [{ every_minutes: 0.5 }, { every_minutes: ['is invalid'] }],
    [{ cron: '* * * * *' }, { every_minutes: ['cannot be given together with cron'] }],
    [
      { every_minutes: null, cron: '* * * * * *' },
      { cron: ['must be five fields: minute, hour, day of the month, month, day of the week'] },
    ],
    [{ every_minutes: null, cron: '0 0 31 2 *' }, { cron: ['not enough run dates'] }],
    [{ timezone: 'Mars/Base' }, { timezone: ['is no time zone such as Europe/Paris'] }],
    [{ condition: { type: 'none' } }, { condition: ['type is invalid'] }],
    [
      { condition: { type: 'row_count', operator: '>>', threshold: 1 } },
      { condition: ['operator is invalid'] },
    ],
    [{ for_checks: 101 }, { for_checks: ['must be less than or equal to %{number}'] }],
    [
      { targets: [{ type: 'webhook', url: 'http://example.com/' }] },
      { targets: ['0.url must be a URL that begins with https://'] },
    ],
    [
      { targets: [{ type: 'slack', url: 'https://169.254.169.254/' }] },
      { targets: ['0.url must be an address on the internet'] },
    ],
    [
      { webhook_notification_url: 'https://a:b@example.com/' },
      { webhook_notification_url: ['must not hold credentials'] },
    ],
    [
      { targets: [{ type: 'sns' }] },
      {
        targets: [
          '0.type is not available on the local server, which has no SNS; use a webhook or Slack',
        ],
      },
    ],
    [
      { targets: Array(11).fill({ type: 'slack', url: HOOK }) },
      { targets: ['should have at most %{count} item(s)'] },
    ],
    [
      { targets: [{ type: 'slack', url: HOOK, id: '11111111-1111-4111-8111-111111111111' }] },
      { targets: ["0.id is none of this alert's targets"] },
    ],
    [{ thresold: 1 }, { thresold: ['is not a known field'] }],
  ])('refuses %j', async (fields, errors) => {
    expect(await call('POST', '/api/alerts', draft(fields))).toEqual(invalid(errors));
  });

  test('refuses a name that is taken, and backends', async () => {
    await create({ name: 'taken' });

    expect(await call('POST', '/api/alerts', draft({ name: 'taken' }))).toEqual(
      invalid({ name: ['has already been taken'] }),
    );
    expect(await call('POST', '/api/alerts', draft({ backend_ids: [1] }))).toEqual(NOT_FOUND);
  });

  test(`refuses more than ${MAX_ALERTS}`, async () => {
    await Promise.all(Array.from({ length: MAX_ALERTS }, () => create()));

    expect(await call('POST', '/api/alerts', draft())).toMatchObject({
      status: 422,
      body: { code: 'too_many_alerts' },
    });
  });
});

describe('changing an alert', () => {
  test('keeps targets and their secrets by id, and takes an answer as it is', async () => {
    const { warnings: _, ...alert } = await create({ targets: [{ type: 'webhook', url: HOOK }] });

    const same = await call('PUT', `/api/alerts/${alert.token}`, alert);

    const [target] = alert.targets;
    expect(same).toMatchObject({
      status: 200,
      body: { version: 1, targets: [{ id: target?.id, secret: null }] },
    });
    const anew = await call('PUT', `/api/alerts/${alert.token}`, {
      targets: [{ type: 'webhook', url: HOOK }],
    });
    expect(anew.body.targets[0]?.secret).toMatch(/^whsec_/);
    expect(anew.body.targets[0]?.secret).not.toBe(target?.secret);
  });

  test("by one of Logflare's URLs leaves other targets alone, and null removes", async () => {
    const sms = 'https://sms.example.com/';
    const { token } = await create({
      targets: [
        { type: 'webhook', url: HOOK },
        { type: 'webhook', url: sms },
        { type: 'slack', url: HOOK },
      ],
    });

    const moved = await call('PUT', `/api/alerts/${token}`, {
      webhook_notification_url: 'https://b.example.com/',
      slack_hook_url: null,
    });

    expect(moved.body.targets).toMatchObject([
      { type: 'webhook', url: 'https://b.example.com/', secret: null },
      { type: 'webhook', url: sms },
    ]);
  });

  test('of what is asked is a new version; of who is told is none', async () => {
    const { token } = await create();
    const change = async (fields: object) =>
      (await call('PUT', `/api/alerts/${token}`, fields)).body.version;

    expect(await change({ description: 'new', repeat_minutes: 5, name: 'renamed' })).toBe(1);
    expect(await change({ every_minutes: 6 })).toBe(2);
    expect(await change({ condition: { type: 'row_count', operator: '>', threshold: 5 } })).toBe(3);
  });

  test('to an endpoint or a cron leaves query or interval behind', async () => {
    const { token } = await create();

    const changed = await call('PUT', `/api/alerts/${token}`, {
      endpoint: 'shop.errors',
      cron: '0 9 * * *',
    });

    expect(changed.body).toMatchObject({
      query: null,
      every_minutes: null,
      endpoint: endpoint.token,
    });
  });

  test('to nothing is refused', async () => {
    const { token } = await create();

    expect(await call('PUT', `/api/alerts/${token}`, { every_minutes: null })).toEqual(
      invalid({ cron: ["can't be blank"] }),
    );
  });
});

describe('a mute', () => {
  test('lasts for minutes or until a time, and ends at null', async () => {
    const { token } = await create();
    const mute = async (body: object) =>
      (await call('POST', `/api/alerts/${token}/mute`, body)).body.muted_until;

    expect(await mute({ minutes: 60 })).toBe('2026-01-02T04:04:05.678Z');
    expect(await mute({ until: '2026-03-01T00:00:00+01:00' })).toBe('2026-02-28T23:00:00.000Z');
    expect(await mute({ until: null })).toBeNull();
    expect((await call('GET', `/api/alerts/${token}`)).body).toMatchObject({
      version: 1,
      muted_until: null,
    });
  });

  test.each([
    [{}],
    [{ minutes: 5, until: null }],
    [{ minutes: 0 }],
    [{ until: 'tomorrow' }],
    [{ minute: 5 }],
  ])('is no %j', async (body) => {
    const { token } = await create();
    expect((await call('POST', `/api/alerts/${token}/mute`, body)).status).toBe(422);
  });
});

test('a test is sent to each target, once, and says how that went', async () => {
  const alert = await create({
    targets: [
      { type: 'webhook', url: HOOK },
      { type: 'slack', url: HOOK },
    ],
  });
  targets.answers = [BUSY];

  const answer = await call('POST', `/api/alerts/${alert.token}/test`);

  const [webhook, slack] = alert.targets;
  expect(answer).toEqual({
    status: 200,
    body: {
      result: [
        {
          id: webhook?.id,
          type: 'webhook',
          delivered: false,
          http_status: 503,
          error: 'refused_by_target',
        },
        { id: slack?.id, type: 'slack', delivered: true, http_status: 200, error: null },
      ],
    },
  });
  expect(targets.sent.map(({ kind }) => kind)).toEqual(['test', 'test']);
});

test('deleted alerts are gone, and what never was there is not found', async () => {
  const { token } = await create();

  expect(await call('DELETE', `/api/alerts/${token}`)).toEqual(NO_CONTENT);

  for (const path of [token, 'nonsense', randomUUID()]) {
    expect(await call('GET', `/api/alerts/${path}`)).toEqual(NOT_FOUND);
    expect(await call('DELETE', `/api/alerts/${path}`)).toEqual(NOT_FOUND);
    expect(await call('POST', `/api/alerts/${path}/test`)).toEqual(NOT_FOUND);
    expect(await call('POST', `/api/alerts/${path}/mute`, { minutes: 5 })).toEqual(NOT_FOUND);
  }
});

test.each([
  ['GET', ''],
  ['POST', ''],
  ['GET', '/x'],
  ['PUT', '/x'],
  ['PATCH', '/x'],
  ['DELETE', '/x'],
  ['POST', '/x/test'],
  ['POST', '/x/mute'],
])('%s /api/alerts%s needs the scope private', async (method, path) => {
  const body = method === 'GET' ? undefined : {};
  expect(await call(method, `/api/alerts${path}`, body, keys.reader)).toMatchObject({
    status: 401,
  });
  expect(await call(method, `/api/alerts${path}`, body, 'no-key')).toMatchObject({ status: 401 });
});
