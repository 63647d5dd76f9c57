/**
 * What the local server takes in over HTTP, and what that costs, beside the least a server must do.
 * `npm run bench:serve -- [--events 100000] [--rest 5] [--only sluice] [--rival path]` (Linux only)
 *
 * The server runs as a process of its own in a temporary directory, as `npm start` runs it, and is loaded
 * over loopback with connections that are kept alive and have one request under way each. Every answer is a
 * durable acknowledgement. Events are about 1 KB. Other processes are loaded in the same way:
 *
 * - parse: reads the body, parses it and answers 200
 * - fsync: the same, and appends the body to a file and waits for fdatasync, each request for itself
 * - rival: VictoriaLogs, where `--rival` says where its binary is; it does not sync each request
 *
 * `--events` are those of the case of batches; the others send fewer. Columns:
 *
 * - CPU: time of all the server's threads per event, from the first request to the end of the rest, us
 * - p50, p99: milliseconds from request to answer
 * - peak, rest: the server's resident memory, the most of it and after `--rest` seconds without load, MiB
 * - disk: bytes of its directory per event after the rest; with few events these are of the log
 * - of ...: Sluice's CPU per event as a ratio to that of the others
 *
 * Client and server share the machine.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { edgeEvent } from '../edge-event.ts';
import { type Load, measureLoad } from './serve-load.ts';
import { bytesBelow, usageOf } from './serve-process.ts';
import { FLOORS, rival, SLUICE, type TargetKind } from './serve-targets.ts';

interface Case {
  readonly connections: number;
  /** Events of a request. */
  readonly batch: number;
  /** Of all events. */
  readonly share: number;
}

interface Measured extends Load {
  readonly eventsPerSecond: number;
  readonly cpuUs: number;
  readonly peakMiB: number;
  readonly restMiB: number;
  readonly diskBytes: number;
}

const CASES: readonly Case[] = [
  { connections: 8, batch: 100, share: 1 },
  { connections: 8, batch: 1, share: 0.2 },
  { connections: 1, batch: 1, share: 0.05 },
  { connections: 64, batch: 10, share: 0.5 },
];
/** Events before those that count: at first the server compiles what it runs. */
const WARM_UP = 10_000;
/** Events that take turns. */
const DISTINCT_EVENTS = 100_000;

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    rest: { type: 'string', default: '5' },
    only: { type: 'string' },
    rival: { type: 'string' },
  },
});
const kinds = [SLUICE, ...FLOORS, ...(options.rival === undefined ? [] : [rival(options.rival)])];
const targets = kinds.filter(({ name }) => options.only === undefined || options.only === name);

async function measure(kind: TargetKind, { connections, batch, share }: Case): Promise<Measured> {
  const requests = Math.ceil((Number(options.events) * share) / batch);
  const directory = await mkdtemp(join(tmpdir(), 'sluice-bench-serve-'));
  try {
    const target = await kind.start(directory);
    try {
      const bodies = bodiesOf(kind, batch, requests);
      const load = { ...target, connections, bodies };
      const warmUp = Math.ceil(WARM_UP / batch);
      await measureLoad({ ...load, requests: warmUp });
      const before = usageOf(target.pid);
      const measured = await measureLoad({ ...load, requests });
      await sleep(Number(options.rest) * 1_000);
      const { cpuUs, peakMiB, rssMiB } = usageOf(target.pid);
      return {
        ...measured,
        eventsPerSecond: (requests * batch) / measured.seconds,
        cpuUs: (cpuUs - before.cpuUs) / (requests * batch),
        peakMiB,
        restMiB: rssMiB,
        diskBytes: bytesBelow(directory) / ((requests + warmUp) * batch),
      };
    } finally {
      await target.stop();
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

function bodiesOf(kind: TargetKind, batch: number, requests: number): Buffer[] {
  const count = Math.min(requests, Math.ceil(DISTINCT_EVENTS / batch));
  return Array.from({ length: count }, (_, body) => {
    const events = Array.from({ length: batch }, (_, index) =>
      edgeEvent(body * batch + index, 'clean'),
    );
    return Buffer.from(kind.body(events));
  });
}

function printRow(cells: readonly (string | number)[]): void {
  const [name, ...rest] = cells.map(String);
  console.log(`${name?.padEnd(8)}${rest.map((cell) => cell.padStart(10)).join('')}`);
}

const HEADS = ['conns', 'batch', 'events/s', 'p50', 'p99', 'CPU', 'peak', 'rest', 'disk'];
const others = targets.filter((kind) => kind !== SLUICE);
printRow(['', ...HEADS, ...others.map(({ name }) => `of ${name}`)]);
for (const each of CASES) {
  let ours: Measured | undefined;
  const ratios: string[] = [];
  for (const kind of targets) {
    const measured = await measure(kind, each);
    if (kind === SLUICE) ours = measured;
    else ratios.push(((ours?.cpuUs ?? Number.NaN) / measured.cpuUs).toFixed(2));
    printRow([
      kind.name,
      each.connections,
      each.batch,
      Math.round(measured.eventsPerSecond),
      measured.p50.toFixed(2),
      measured.p99.toFixed(2),
      measured.cpuUs.toFixed(1),
      ...[measured.peakMiB, measured.restMiB, measured.diskBytes].map(Math.round),
    ]);
  }
  if (others.length > 0) printRow(['ratio', ...HEADS.map(() => ''), ...ratios]);
}
