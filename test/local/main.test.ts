import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADMIN_KEY, temporaryDirectory } from './server-support.ts';

const MAIN = new URL('../../src/local/main.mjs', import.meta.url).pathname;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let children: ChildProcess[];
beforeEach(async () => {
  directory = await temporaryDirectory();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await directory.remove();
});

/** Starts the program as a user does; its output and exit code are there to be awaited. */
function start(env: Record<string, string> = {}, nodeOptions: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', SLUICE_DATA_DIR: directory.path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const collect = (data: Buffer) => {
    output += data;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  /** Waits until a text was printed. */
  const says = async (text: string) => {
    while (!output.includes(text)) {
      if (child.exitCode !== null) throw new Error(`It ended without saying ${text}: ${output}`);
      await sleep(10);
    }
  };
  const ready = () => says('/api/sources');
  return { child, says, ready, exited, output: () => output };
}

function urlIn(output: string): string {
  return /ready at (\S+),/.exec(output)?.[1] ?? 'no address printed';
}

test('says where it is, and with which key to try it', async () => {
  const program = start();
  await program.ready();
  const key = /SLUICE_ADMIN_KEY=(\S+)/.exec(program.output())?.[1] ?? 'no key printed';

  const answer = await fetch(`${urlIn(program.output())}/api/sources`, {
    headers: { Authorization: `Bearer ${key}` },
  });

  expect(answer.status).toBe(200);
  expect(program.output()).toContain(directory.path);
  expect(program.output().split(key)).toHaveLength(2);
  expect(program.output().match(/curl /g)).toHaveLength(3);
});

test('never prints the key that the operator chose', async () => {
  const program = start({ SLUICE_ADMIN_KEY: ADMIN_KEY, SLUICE_LOG_LEVEL: 'debug' });
  await program.ready();
  const url = urlIn(program.output());

  const answer = await fetch(`${url}/api/sources?api_key=${ADMIN_KEY}`);
  program.child.kill('SIGTERM');
  await program.exited;

  expect(answer.status).toBe(200);
  expect(program.output()).not.toContain(ADMIN_KEY);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it in order', async (signal) => {
  const program = start();
  await program.ready();

  program.child.kill(signal);

  expect(await program.exited).toBe(0);
  expect(program.output()).toContain('"message":"stopped"');
});

test('a second signal ends it at once', async () => {
  const program = start({ SLUICE_ADMIN_KEY: ADMIN_KEY });
  await program.ready();
  const { hostname, port } = new URL(urlIn(program.output()));
  const half = connect(Number(port), hostname);
  half.on('error', () => {});
  // One write: when the first request is answered, the second is known to be under way.
  half.write(
    'GET /health HTTP/1.1\r\nHost: x\r\n\r\n' +
      `POST /logs HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${ADMIN_KEY}\r\nContent-Length: 9\r\n\r\n{`,
  );
  await once(half, 'data');

  program.child.kill('SIGTERM');
  await program.says('"message":"stopping"');
  // Closer together, two signals count as one.
  await sleep(600);
  program.child.kill('SIGTERM');

  expect(await program.exited).toBe(1);
  expect(program.output()).toContain('"message":"stopping at once"');
});

/** Runs for minutes, and does not compress into a formula. */
const LONG_QUERY =
  'select count(*) as n from unnest(generate_array(1, 10000)) as a ' +
  'cross join unnest(generate_array(1, 10000)) as b ' +
  'cross join unnest(generate_array(1, 10000)) as c where mod(a * b + c, 7) = 3';

/** A program with four long queries under way, each of a key of its own. */
async function startBusy() {
  const program = start({ SLUICE_ADMIN_KEY: ADMIN_KEY });
  await program.ready();
  const url = urlIn(program.output());
  const call = (path: string, init: RequestInit = {}, key = ADMIN_KEY) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
    });
  const newKey = async () => {
    const body = JSON.stringify({ description: 'a caller', scopes: 'query' });
    const answer = await call('/api/access-tokens', { method: 'POST', body });
    return { status: answer.status, ...((await answer.json()) as { access_token: string }) };
  };
  const ended: number[] = [];
  const queries: Promise<{ status: number; body: unknown }>[] = [];
  for (let number = 0; number < 4; number += 1) {
    const { access_token: key } = await newKey();
    const body = JSON.stringify({ project: 'p', sql: LONG_QUERY });
    const init = { method: 'POST', body };
    const answer = call('/api/endpoints/query/logs.all', init, key).then(async (response) => {
      ended.push(response.status);
      return { status: response.status, body: await response.json() };
    });
    answer.catch(() => undefined);
    queries.push(answer);
  }
  return { ...program, call, newKey, queries, ended };
}

test('four long queries keep neither events nor keys nor each other waiting', async () => {
  const program = await startBusy();

  const logged = await program.call('/logs?source_name=cloudflare.logs.prod', {
    method: 'POST',
    body: '{"event_message":"meanwhile","project":"p"}',
  });
  const key = await program.newKey();
  const sources = await program.call('/api/sources');

  expect([logged.status, key.status, sources.status]).toEqual([200, 201, 200]);
  expect(program.ended).toEqual([]);
});

test('SIGTERM ends it although queries would run for minutes', async () => {
  const program = await startBusy();
  await program.call('/health');

  program.child.kill('SIGTERM');

  expect(await program.exited).toBe(0);
  expect(await Promise.all(program.queries)).toEqual(
    Array(4).fill({
      status: 503,
      body: { code: 'engine_throttled', error: expect.stringContaining('stopping') },
    }),
  );
});

test('an unhandled rejection is logged and ends it', async () => {
  const rejectOnSignal = 'process.once("SIGUSR2", () => Promise.reject(new Error("forgotten")))';
  const program = start({}, ['--import', `data:text/javascript,${rejectOnSignal}`]);
  await program.ready();

  program.child.kill('SIGUSR2');

  expect(await program.exited).toBe(1);
  expect(program.output()).toContain('"message":"unhandled rejection"');
  expect(program.output()).toContain('forgotten');
});

test('a killed program has lost nothing that it acknowledged', async () => {
  const env = { SLUICE_ADMIN_KEY: ADMIN_KEY };
  const headers = { 'X-API-KEY': ADMIN_KEY, 'Content-Type': 'application/json' };
  const first = start(env);
  await first.ready();
  const logged = await fetch(`${urlIn(first.output())}/logs?source_name=cloudflare.logs.prod`, {
    method: 'POST',
    headers,
    body: '{"project":"p","event_message":"hello"}',
  });

  first.child.kill('SIGKILL');
  await first.exited;
  const second = start(env);
  await second.ready();
  const sql = encodeURIComponent('select event_message from edge_logs');
  const answer = await fetch(
    `${urlIn(second.output())}/api/endpoints/query/logs.all?project=p&sql=${sql}`,
    { headers },
  );

  expect(logged.status).toBe(200);
  expect(await answer.json()).toEqual({ result: [{ event_message: 'hello' }] });
});

test('a bad setting is named, without a stack trace', async () => {
  const program = start({ PORT: 'http' });

  expect(await program.exited).toBe(1);
  expect(program.output()).toBe('The environment is not valid: PORT must be a whole number.\n');
});

test('a port in use is named, without a stack trace', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const program = start({ PORT: String(port) });
  const code = await program.exited;
  other.close();

  expect(code).toBe(1);
  expect(program.output()).toBe(
    `Port ${port} on 127.0.0.1 is in use. Stop what listens there, or set PORT to another port.\n`,
  );
});

test('a Node that is too old is told so, before it reads any TypeScript', async () => {
  const old = `Object.defineProperty(process.versions, 'node', { value: '20.11.0' })`;
  const program = start({}, ['--import', `data:text/javascript,${encodeURIComponent(old)}`]);

  expect(await program.exited).toBe(1);
  expect(program.output()).toMatch(/^Sluice needs Node 24 or later, and this is Node 20\.11\.0\. /);
});
