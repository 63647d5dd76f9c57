import { beforeAll, describe, expect, test } from 'vitest';
import { shared, startService } from '../e2e/support/server.ts';

const service = shared(startService);

const UNAUTHORIZED = { status: 401, text: '{"error":"Unauthorized"}' };
const ROWS = { status: 200, body: { result: [{ one: 1 }] } };

let guarded: { token: string };
let open: { token: string };

beforeAll(async () => {
  const { sluice } = service();
  guarded = await sluice.createEndpoint({ name: 'logs-all-staging', query: 'select 1 as one' });
  open = await sluice.createEndpoint({
    name: 'logs.all.staging',
    query: 'select 1 as one',
    enable_auth: false,
  });
});

describe('an endpoint', () => {
  test('99 knows nothing of the keys of others', async () => {
    const stranger = service().sluice.as({ token: 'sluice_key-of-another-deployment' });

    expect(await stranger.query(guarded.token)).toMatchObject(UNAUTHORIZED);
    expect(await stranger.query('logs-all-staging')).toMatchObject(UNAUTHORIZED);
  });

  test('100 is called by a name with dots or dashes that is as long as the bytes of a UUID', async () => {
    const { sluice } = service();

    expect(await sluice.query('logs.all.staging')).toMatchObject(ROWS);
    expect(await sluice.query('logs-all-staging')).toMatchObject(ROWS);
  });

  test('101 is open to keys with the scope query, one for this endpoint, or private', async () => {
    const { sluice } = service();

    for (const scope of ['query', `query:endpoint:${guarded.token}`, 'private']) {
      const caller = sluice.as(await sluice.createKey(scope));
      expect(await caller.query(guarded.token), scope).toMatchObject(ROWS);
    }
  });

  test('102 is closed to keys that only ingest, or query another endpoint', async () => {
    const { sluice } = service();

    for (const scope of ['', 'public', 'ingest', `query:endpoint:${open.token}`]) {
      const caller = sluice.as(await sluice.createKey(scope));
      expect(await caller.query(guarded.token), scope).toMatchObject(UNAUTHORIZED);
    }
  });

  test('103 without authorisation is open to all who have its UUID, whatever key they send', async () => {
    const { sluice } = service();

    expect(await sluice.as(undefined).query(open.token)).toMatchObject(ROWS);
    expect(await sluice.as({ token: 'garbage' }).query(open.token)).toMatchObject(ROWS);
  });
});
