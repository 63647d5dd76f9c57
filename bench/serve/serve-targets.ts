import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };

/** A server that is loaded, as a process of its own. */
export interface Target {
  readonly pid: number;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface TargetKind {
  readonly name: string;
  /** @throws Error when it ends before it is ready. */
  start(directory: string): Promise<Target>;
  /** The body that has these events, each as JSON text. */
  body(events: readonly string[]): string;
}

const KEY = 'bench-key';
const FLOOR = join(import.meta.dirname, 'serve-floor.ts');
const ROOT = join(import.meta.dirname, '../..');
/** What `npm start` runs. */
const [, ...START] = manifest.scripts.start.split(' ');
const READY_MS = 20_000;

const asArray = (events: readonly string[]) => `[${events.join(',')}]`;
const asLines = (events: readonly string[]) => events.map((event) => `${event}\n`).join('');

export const SLUICE: TargetKind = {
  name: 'sluice',
  start: (directory) => startOurs(START, directory),
  body: asArray,
};

/** See `serve-floor.ts`. */
export const FLOORS = ['parse', 'fsync'].map(
  (name): TargetKind => ({
    name,
    start: (directory) => startOurs([FLOOR, name, directory], directory),
    body: asArray,
  }),
);

/** VictoriaLogs, whose binary is at a path: not a part of this project, nor fetched by it. */
export function rival(binary: string): TargetKind {
  return {
    name: 'rival',
    async start(directory) {
      const port = await freePort();
      const child = start(binary, [
        `-storageDataPath=${directory}`,
        `-httpListenAddr=127.0.0.1:${port}`,
        // The events have times of their own, which the default takes for too old.
        '-retentionPeriod=100y',
        '-loggerLevel=ERROR',
      ]);
      const origin = `http://127.0.0.1:${port}`;
      const ready = async () => (await fetch(`${origin}/health`).catch(() => undefined))?.ok;
      for (const from = performance.now(); !(await ready()); await sleep(50)) {
        if (child.hasEnded() || performance.now() - from > READY_MS) {
          await child.stop();
          throw new Error('the rival did not become ready');
        }
      }
      return {
        ...child,
        origin,
        path: '/insert/jsonline?_stream_fields=project&_time_field=timestamp&_msg_field=event_message',
        headers: { 'content-type': 'application/stream+json' },
      };
    },
    body: asLines,
  };
}

async function startOurs(args: readonly string[], directory: string): Promise<Target> {
  const child = start(process.execPath, args, {
    PORT: '0',
    SLUICE_DATA_DIR: directory,
    SLUICE_ADMIN_KEY: KEY,
    SLUICE_LOG_LEVEL: 'warn',
  });
  return {
    ...child,
    origin: await child.printed(/ready at (http:[^\s,]+)/),
    path: '/logs?source_name=cloudflare.logs.prod',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
  };
}

/** A process that does not outlive this one. */
function start(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid === undefined) throw new Error(`${command} does not start`);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'close').finally(() => process.off('exit', kill));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return {
    pid: child.pid,
    hasEnded,
    /** What the pattern's first group matches in what it prints. */
    async printed(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(output)?.[1];
        if (found !== undefined) return found;
        if (hasEnded()) throw new Error(`${command} ended: ${output}`);
        await sleep(20);
      }
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
