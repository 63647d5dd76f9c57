import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const TARGETS = ['sluice', 'parse', 'fsync'] as const;
export type TargetName = (typeof TARGETS)[number];

/** A server that is ready, as a process of its own. */
export interface Target {
  readonly origin: string;
  readonly request: { readonly path: string; readonly headers: Readonly<Record<string, string>> };
  /** Resident memory now. */
  rssMiB(): number;
  stop(): Promise<void>;
}

const KEY = 'bench-key';
const FLOOR = join(import.meta.dirname, 'serve-floor.ts');
const MAIN = join(import.meta.dirname, '../src/local/main.ts');

/** @throws Error with what it printed when it ends before it is ready. */
export async function startTarget(name: TargetName, directory: string): Promise<Target> {
  const args = name === 'sluice' ? [MAIN] : [FLOOR, name, directory];
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      SLUICE_DATA_DIR: directory,
      SLUICE_ADMIN_KEY: KEY,
      SLUICE_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let output = '';
  const { promise: origin, resolve, reject } = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    const found = /ready at (http:[^\s,]+)/.exec(output)?.[1];
    if (found !== undefined) resolve(found);
  });
  child.on('close', () => reject(new Error(`${name} ended: ${output}`)));
  return {
    origin: await origin,
    request: {
      path: '/logs?source_name=cloudflare.logs.prod',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    },
    rssMiB: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
