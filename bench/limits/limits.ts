/**
 * What short requests that ask for too much do to the local server, and to those who use it meanwhile.
 * `npm run bench:limits [text]` sends those whose name has the text in it; all without one.
 *
 * Each goes to a server of its own, over the same data, started as `npm start` starts it. Printed are the
 * answer, its time in seconds, the highest resident memory and size of the data directory in MiB, the worst
 * time in which `/health` and an event were answered meanwhile in milliseconds, how many of those failed,
 * and the seconds in which SIGTERM ended the server (`-` where it had ended, or had to be killed).
 *
 * A request is given up after 40 s, and a server past 6 GiB is killed: the bench must not take down
 * the machine. Linux only, for it reads `/proc`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeEvent } from '../edge-event.ts';
import { BOMBS, type Bomb } from './bombs.ts';
import { startProber } from './prober.ts';
import { diskMiB, hasEnded, rssMiB, startLimitedServer, stopServer } from './server.ts';

const TIMEOUT_MS = 40_000;
const MAX_RSS_MIB = 6 * 1024;
const SAMPLE_MS = 50;
const EVENTS = 5_000;

async function fill(directory: string): Promise<void> {
  const server = await startLimitedServer(directory);
  for (let first = 0; first < EVENTS; first += 500) {
    const events = Array.from({ length: 500 }, (_, index) => {
      const event = JSON.parse(edgeEvent(first + index, 'clean'));
      return { ...event, project: 'bench' };
    });
    const answer = await fetch(`${server.origin}/logs?source_name=cloudflare.logs.prod`, {
      method: 'POST',
      headers: { ...server.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(events),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
  }
  await stopServer(server);
}

async function measure(bomb: Bomb, directory: string): Promise<readonly string[]> {
  const server = await startLimitedServer(directory);
  let rss = 0;
  let disk = 0;
  let killed = false;
  const sampling = setInterval(() => {
    rss = Math.max(rss, rssMiB(server.child));
    disk = Math.max(disk, diskMiB(directory));
    if (rss > MAX_RSS_MIB && !killed) {
      killed = true;
      server.child.kill('SIGKILL');
    }
  }, SAMPLE_MS);
  const stopProber = startProber(server);
  const from = performance.now();
  let answer = await bomb.send(server, AbortSignal.timeout(TIMEOUT_MS)).catch(nameOf);
  const seconds = (performance.now() - from) / 1_000;
  const { healthMs, ingestMs, failed } = await stopProber();
  if (killed) answer = 'killed: too much memory';
  else if (hasEnded(server.child)) answer = 'the process has ended';
  const stopSeconds = await stopServer(server);
  // Only now: a statement may go on growing after its caller was told that it was ended.
  clearInterval(sampling);
  return [
    bomb.name,
    answer,
    seconds.toFixed(1),
    rss.toFixed(0),
    disk.toFixed(0),
    healthMs.toFixed(0),
    ingestMs.toFixed(0),
    String(failed),
    stopSeconds === undefined ? '-' : stopSeconds.toFixed(1),
  ];
}

function nameOf(error: unknown): string {
  return error instanceof Error && error.name === 'TimeoutError' ? 'no answer' : String(error);
}

function printRow([name = '', answer = '', ...numbers]: readonly string[]): void {
  console.log(
    `${name.padEnd(36)}${numbers.map((number) => number.padStart(8)).join('')}  ${answer}`,
  );
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const directory = await mkdtemp(join(tmpdir(), 'sluice-bench-limits-'));
try {
  await fill(directory);
  printRow(['', 'answer', 's', 'RSS', 'disk', 'health', 'ingest', 'failed', 'stop']);
  for (const bomb of BOMBS.filter(({ name }) => name.includes(process.argv[2] ?? ''))) {
    printRow(await measure(bomb, directory));
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
