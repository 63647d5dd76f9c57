import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A release that knows the present limit of SQS messages, 1 MiB. */
const VERSION = '5.2.5';

const HOME = resolve(import.meta.dirname, '../../.moto', VERSION);

/** Of moto's own environment; there once moto was started. */
export const PYTHON = join(HOME, 'bin', 'python');

export interface Moto {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * moto answers in many threads, and checks a condition in one step and writes in the next: of parallel
 * writes on the same condition several may win, where DynamoDB lets one. So it gets one call at a time.
 */
const ONE_AT_A_TIME = `
import threading
from moto import server
lock = threading.Lock()
answer = server.DomainDispatcherApplication.__call__
def one_at_a_time(self, environ, start_response):
    with lock:
        return answer(self, environ, start_response)
server.DomainDispatcherApplication.__call__ = one_at_a_time
server.main()
`;

/**
 * Starts moto's server on a free port of 127.0.0.1. The first time, installs it under `.moto/`, which
 * needs Python 3.10 or later and its package index.
 *
 * @throws Error when moto can be neither installed nor started
 */
export async function startMoto(): Promise<Moto> {
  if (!existsSync(join(HOME, 'bin', 'moto_server'))) await install();
  const port = await freePort();
  const server = spawn(PYTHON, ['-c', ONE_AT_A_TIME, '-H', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-4_000);
  });
  const ended = once(server, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    server.kill();
    await ended;
  };
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) throw new Error(`moto ended at once:\n${said}`);
    const answers = await fetch(`${url}/moto-api/data.json`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) return { url, stop };
    await setTimeout(100);
  }
  await stop();
  throw new Error(`moto does not answer on ${url}:\n${said}`);
}

async function install(): Promise<void> {
  const run = promisify(execFile);
  await run('python3', ['-m', 'venv', HOME]);
  await run(join(HOME, 'bin', 'pip'), ['install', '--quiet', `moto[server]==${VERSION}`]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
