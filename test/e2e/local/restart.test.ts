import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startService, temporaryDirectory } from '../support/server.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let program: Program;
beforeEach(async () => {
  directory = await temporaryDirectory();
  program = await startProgram(directory.path);
});
afterEach(async () => {
  await program.end('SIGKILL');
  await directory.remove();
});

/** Everything that a user can read, in one value. */
async function everything(sluice: Client, token: string) {
  const answers = await Promise.all([
    sluice.call('/api/sources'),
    sluice.call('/api/endpoints'),
    sluice.call('/api/access-tokens'),
    sluice.call(`/api/sources/${token}/schema`),
    sluice.query('orders.by-state', { state: 'paid' }),
  ]);
  return answers.map(({ status, body }) => ({ status, body }));
}

test('sources, endpoints, keys, schemas, events and cached rows outlive the program', async () => {
  const { sluice } = program;
  const source = await sluice.createSource('orders');
  const endpoint = await sluice.createEndpoint({
    name: 'orders.by-state',
    query: 'select id, timestamp, metadata from orders as o where o.metadata.state = @state',
    cache_duration_seconds: 3600,
  });
  const reader = await sluice.createKey(`query:endpoint:${endpoint.token}`);
  await sluice.send('orders', [
    { id: 'o-1', metadata: { state: 'paid', items: [{ sku: 'a', n: 2 }] } },
    { id: 'o-2', metadata: { state: 'open' } },
  ]);
  const before = await everything(sluice, source.token);

  const code = await program.end('SIGTERM');
  program = await startProgram(directory.path);
  const after = await everything(program.sluice, source.token);
  const read = await program.sluice.as(reader).query('orders.by-state', { state: 'paid' });

  expect(code).toBe(0);
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(after).toEqual(before);
  expect(read.rows).toMatchObject([{ id: 'o-1' }]);
  expect(read.headers.get('Sluice-Cache')).toBe('hit');
});

test('the restarted program goes on where the stopped one left off', async () => {
  const list = { project: 'shop', sql: 'select event_message from postgres_logs order by id' };
  const event = (id: string) => ({ id, project: 'shop', message: `event ${id}` });
  await program.sluice.send('postgres.logs', event('1'));
  await program.end('SIGTERM');
  program = await startProgram(directory.path);

  await program.sluice.send('postgres.logs', event('2'));

  expect(await program.sluice.rows('logs.all', list)).toEqual([
    { event_message: 'event 1' },
    { event_message: 'event 2' },
  ]);
});

test('what was refused before a restart, and what it used up, is known after it', async () => {
  const own = await temporaryDirectory();
  const before = await startService(own.path, { perSource: 1, perKey: 1_000 });
  const { token } = await before.sluice.createSource('restarted');
  await before.sluice.post(`/logs?source=${token}`, [1]);
  await before.sluice.post(`/logs?source=${token}`, '{"a":');
  await before.sluice.post(
    `/logs?source=${token}`,
    Array.from({ length: 100 }, () => ({ message: 'hi' })),
  );
  await before.close();

  const after = await startService(own.path, { perSource: 1, perKey: 1_000 });
  const { rows } = await after.sluice.call(`/api/sources/${token}/rejected`);
  const refused = await after.sluice.post(`/logs?source=${token}`, { message: 'hi' });

  expect(rows.map(({ code }) => code)).toEqual(['invalid_json', 'events_rejected']);
  expect(refused.status).toBe(429);
  await after.close();
  await own.remove();
});
