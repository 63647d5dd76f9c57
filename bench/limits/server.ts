import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A server that is ready, as a process of its own. */
export interface LimitedServer {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly child: ChildProcess;
}

const KEY = 'bench-key';
const MAIN = join(import.meta.dirname, '../../src/local/main.mjs');
/** A server that takes longer to stop is killed. */
const STOP_MS = 12_000;

/** @throws Error with what it printed when it ends before it is ready. */
export async function startLimitedServer(directory: string): Promise<LimitedServer> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      SLUICE_DATA_DIR: directory,
      SLUICE_ADMIN_KEY: KEY,
      SLUICE_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // A bench that is stopped leaves no server behind.
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  child.once('close', () => process.off('exit', killed));
  let output = '';
  const { promise: origin, resolve, reject } = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    const found = /ready at (http:[^\s,]+)/.exec(output)?.[1];
    if (found !== undefined) resolve(found);
  });
  child.on('close', () => reject(new Error(`the server ended: ${output}`)));
  return { origin: await origin, headers: { 'X-API-KEY': KEY }, child };
}

/** @returns seconds that it took; undefined for a server that had ended before or had to be killed. */
export async function stopServer({ child }: LimitedServer): Promise<number | undefined> {
  if (hasEnded(child)) return undefined;
  const ended = once(child, 'close');
  const from = performance.now();
  let killed = false;
  const timer = setTimeout(() => {
    killed = true;
    child.kill('SIGKILL');
  }, STOP_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
  return killed ? undefined : (performance.now() - from) / 1_000;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Resident memory of a process now, MiB; 0 when it has ended. Reads Linux's `/proc`. */
export function rssMiB({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Bytes of all files below a directory, MiB. Files that vanish on the way count nothing. */
export function diskMiB(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    try {
      if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
    } catch {}
  }
  return bytes / 1024 ** 2;
}
