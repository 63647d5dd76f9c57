import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findJava } from './java.ts';
import { libraries } from './libraries.ts';
import { Progress } from './progress.ts';

const SOURCE = fileURLToPath(new URL('LakeServer.java', import.meta.url));
/** Downloads and the server's log; ignored by git, safe to delete. */
const CACHE = fileURLToPath(new URL('../../../.trino', import.meta.url));
const START_MS = 120_000;
const STOP_MS = 5_000;
const LOG_END = 3_000;

/** URLs of a running server. */
export interface TrinoAddress {
  /** Queries, in Trino's own protocol. */
  readonly trino: string;
  /** The TableInput of a Glue table posted here becomes a table. */
  readonly tables: string;
}

export interface TrinoServer {
  readonly address: TrinoAddress;
  stop(): Promise<void>;
}

/**
 * Starts Trino on free ports of the loopback interface.
 *
 * @throws Error that says what is missing, or ends with the server's log when it does not start.
 */
export async function startTrino(): Promise<TrinoServer> {
  const progress = new Progress('trino');
  await mkdir(CACHE, { recursive: true });
  const java = await findJava();
  const classPath = await libraries(CACHE, progress);
  const metastore = await mkdtemp(join(tmpdir(), 'sluice-metastore-'));
  const logFile = join(CACHE, 'server.log');
  progress.step(`starting with ${java}`);
  // The server ends with its standard input: also when this process is killed.
  const child = spawn(
    java,
    [
      '-Xmx2g',
      // Every query is compiled anew and runs for milliseconds: the second compiler never pays.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-cp',
      classPath,
      SOURCE,
      metastore,
    ],
    { stdio: ['pipe', 'pipe', openSync(logFile, 'w')] },
  );
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(metastore, { recursive: true, force: true });
  };
  try {
    const address = await addressOf(child);
    progress.step(`ready at ${address.trino}`);
    return { address, stop };
  } catch (cause) {
    await stop();
    const log = await readFile(logFile, 'utf8');
    throw new Error(`Trino did not start. The end of ${logFile}:\n${log.slice(-LOG_END)}`, {
      cause,
    });
  }
}

async function addressOf(child: ChildProcess): Promise<TrinoAddress> {
  if (child.stdout === null) throw new Error('the server was started without standard output');
  const lines = createInterface({ input: child.stdout });
  const timeout = AbortSignal.timeout(START_MS);
  const exited = once(child, 'exit', { signal: timeout }).then(([code]) => {
    throw new Error(`the server ended with ${code}`);
  });
  const [line] = await Promise.race([once(lines, 'line', { signal: timeout }), exited]);
  exited.catch(() => {});
  return JSON.parse(String(line));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}
