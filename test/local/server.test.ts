import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ADMIN_KEY,
  startTestServer,
  type TestServer,
  temporaryDirectory,
} from './server-support.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

function post(server: TestServer, path: string, event: unknown) {
  return server.call(path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(event) });
}

/** Messages of a project, as `logs.all` gives them back. */
async function messages(server: TestServer, project: string, extra = ''): Promise<string[]> {
  const query = new URLSearchParams({
    project,
    sql: `select event_message from edge_logs ${extra}`,
  });
  const answer = await server.call(`/api/endpoints/query/logs.all?${query}`);
  expect(answer.status).toBe(200);
  const { result } = (await answer.json()) as { result: { event_message: string }[] };
  return result.map((row) => row.event_message).sort();
}

describe('a running server', () => {
  let server: TestServer;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    server = await startTestServer(directory.path);
  });
  afterAll(async () => {
    await server.close();
    await directory.remove();
  });

  test.each(['GET', 'HEAD'])('answers %s /health without a key', async (method) => {
    const answer = await fetch(`${server.url}/health`, { method });

    expect(answer.status).toBe(200);
  });

  test('listens on its own port alone: the registry is reached by function calls', async () => {
    const listening = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap');
    const files = await readdir(directory.path, { recursive: true, withFileTypes: true });

    expect(listening).toHaveLength(1);
    expect(files.filter((file) => file.isSocket())).toEqual([]);
  });

  test('shows an acknowledged event to the very next query', async () => {
    const logged = await post(server, '/logs?source_name=cloudflare.logs.prod', {
      project: 'visible',
      event_message: 'hello',
    });

    expect(await logged.json()).toEqual({ message: 'Logged!' });
    expect(await messages(server, 'visible')).toEqual(['hello']);
  });

  test('ends queries of callers that hang up, and gives their places to others', async () => {
    const sql =
      'select count(*) as n from unnest(generate_array(1, 10000)) as a ' +
      'cross join unnest(generate_array(1, 10000)) as b ' +
      'cross join unnest(generate_array(1, 10000)) as c where mod(a * b + c, 7) = 3';
    const path = `/api/endpoints/query/logs.all?project=p&sql=${encodeURIComponent(sql)}`;
    const hangingUp = new AbortController();
    const { signal } = hangingUp;
    // As many as one key may run at a time.
    const long = Array.from({ length: 3 }, () =>
      server.call(path, { signal }).then(
        () => 'answered',
        () => 'gone',
      ),
    );
    const short = messages(server, 'nobody');

    hangingUp.abort();

    expect(await Promise.all(long)).toEqual(Array(3).fill('gone'));
    expect(await short).toEqual([]);
  });

  test('takes a trailing slash', async () => {
    const answer = await post(server, '/api/events/?source_name=cloudflare.logs.prod', {
      project: 'slash',
      event_message: 'hello',
    });

    expect(answer.status).toBe(200);
    expect(await messages(server, 'slash')).toEqual(['hello']);
  });

  test('takes a gzip body', async () => {
    const batch = [
      { project: 'gzip', event_message: 'one' },
      { project: 'gzip', event_message: 'two' },
    ];

    const answer = await server.call('/logs?source_name=cloudflare.logs.prod', {
      method: 'POST',
      headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ batch })),
    });

    expect(answer.status).toBe(200);
    expect(await messages(server, 'gzip')).toEqual(['one', 'two']);
  });

  test('takes a chunked body without Content-Length', async () => {
    const answer = await server.call('/logs?source_name=cloudflare.logs.prod', {
      method: 'POST',
      headers: JSON_TYPE,
      body: new Blob(['{"project":"chunked",', '"event_message":"hello"}']).stream(),
      duplex: 'half',
    });

    expect(answer.status).toBe(200);
    expect(await messages(server, 'chunked')).toEqual(['hello']);
  });

  test('takes a request line of 16 KB', async () => {
    await post(server, '/logs?source_name=cloudflare.logs.prod', {
      project: 'long-line',
      event_message: 'hello',
    });
    const condition = `where event_message != '${'x'.repeat(16 * 1024)}'`;

    expect(await messages(server, 'long-line', condition)).toEqual(['hello']);
  });

  test('stores what is an event and refuses the rest by index', async () => {
    const answer = await post(server, '/logs?source_name=cloudflare.logs.prod', [
      { project: 'mixed', event_message: 'kept' },
      'no object',
      null,
    ]);

    expect(answer.status).toBe(406);
    expect(await answer.json()).toMatchObject({
      code: 'events_rejected',
      message: [expect.stringMatching(/^event 1: /), expect.stringMatching(/^event 2: /)],
    });
    expect(await messages(server, 'mixed')).toEqual(['kept']);
  });

  test.each(['/logs', '/api/sources', '/api/endpoints/query/logs.all'])(
    'answers the preflight of %s without a key',
    async (path) => {
      const answer = await fetch(`${server.url}${path}`, { method: 'OPTIONS' });

      expect(answer.status).toBe(204);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    },
  );

  test('says so when its data directory is opened a second time', async () => {
    await expect(startTestServer(directory.path)).rejects.toThrow('in use by another server');
  });
});

test('a data directory of an earlier release is refused with a sentence, and left as it is', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory.path, 'wal'));

  await expect(startTestServer(directory.path)).rejects.toThrow(
    'an earlier release made it, which kept events in another way. Set SLUICE_DATA_DIR to a new directory.',
  );

  expect(await readdir(directory.path)).toEqual(['wal']);
  await directory.remove();
});

describe('a restarted server', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeAll(async () => {
    directory = await temporaryDirectory();
  });
  afterAll(() => directory.remove());

  test('has kept the events and the keys', async () => {
    const first = await startTestServer(directory.path);
    await post(first, '/logs?source_name=cloudflare.logs.prod', {
      project: 'kept',
      event_message: 'from before',
    });
    await first.close();

    const second = await startTestServer(directory.path, {});
    const answer = await fetch(`${second.url}/api/sources`, {
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
    });
    await second.close();
    const third = await startTestServer(directory.path);
    const found = await messages(third, 'kept');
    await third.close();

    expect(second.adminKey).toBeUndefined();
    expect(answer.status).toBe(200);
    expect(found).toEqual(['from before']);
  });

  test('does not bring back an endpoint that was deleted', async () => {
    const first = await startTestServer(directory.path);
    const endpoints = (await (await first.call('/api/endpoints')).json()) as {
      name: string;
      token: string;
    }[];
    const doomed = endpoints.find(({ name }) => name === 'usage.api-counts');
    const deleted = await first.call(`/api/endpoints/${doomed?.token}`, { method: 'DELETE' });
    await first.close();

    const second = await startTestServer(directory.path);
    const left = (await (await second.call('/api/endpoints')).json()) as { name: string }[];
    await second.close();

    expect(deleted.status).toBe(204);
    expect(left.map(({ name }) => name).sort()).toEqual(['logs.all', 'usage.queries']);
  });
});

test('a first start without a key generates one that opens the management API', async () => {
  const directory = await temporaryDirectory();
  const server = await startTestServer(directory.path, {});

  const answer = await fetch(`${server.url}/api/sources`, {
    headers: { Authorization: `Bearer ${server.adminKey}` },
  });
  const sources = (await answer.json()) as { name: string }[];
  await server.close();
  await directory.remove();

  expect(sources.map(({ name }) => name).sort()).toEqual([
    'cloudflare.logs.prod',
    'deno-relay-logs',
    'deno-subhosting-events',
    'gotrue.logs.prod',
    'pgbouncer.logs.prod',
    'postgREST.logs.prod',
    'postgres.logs',
    'realtime.logs.prod',
    'sluice.alerts',
    'sluice.queries',
    'storage.logs.prod.2',
  ]);
});
