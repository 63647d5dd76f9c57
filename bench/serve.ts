/**
 * What the local server takes in over HTTP, beside the least a server must do.
 * `npm run bench:serve [seconds]`
 *
 * The server runs as a process of its own in a temporary directory, as `npm start` runs it, and is
 * loaded over loopback with connections that are kept alive and have one request under way each.
 * Every answer is a durable acknowledgement. Events are about 1 KB. Two other processes are loaded in
 * the same way, for their rates to be compared with:
 *
 * - parse: reads the body, parses it and answers 200
 * - fsync: the same, and appends the body to a file and waits for fdatasync, each request for itself
 *
 * Client and server share the machine. Latencies are milliseconds; RSS is the server's after the
 * load, MiB.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeEvent } from './edge-event.ts';
import { type Load, measureLoad } from './serve-load.ts';
import { startTarget, TARGETS, type TargetName } from './serve-targets.ts';

const CONNECTIONS = [1, 8, 64];
const EVENTS_PER_REQUEST = [1, 10, 100];
const WARM_UP_SECONDS = 0.5;
const SECONDS = Number(process.argv[2] ?? 2);
/** Bodies that take turns, so that no two requests in a row are equal. */
const BODIES = 32;

interface Measured extends Load {
  readonly rssMiB: number;
}

async function measure(name: TargetName, connections: number, bodies: readonly Buffer[]) {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-bench-serve-'));
  try {
    const target = await startTarget(name, directory);
    try {
      const load = { ...target.request, origin: target.origin, connections, bodies };
      await measureLoad({ ...load, seconds: WARM_UP_SECONDS });
      const measured = await measureLoad({ ...load, seconds: SECONDS });
      return { ...measured, rssMiB: target.rssMiB() };
    } finally {
      await target.stop();
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

function bodiesOf(events: number): Buffer[] {
  return Array.from({ length: BODIES }, (_, body) => {
    const texts = Array.from({ length: events }, (_, index) =>
      edgeEvent(body * events + index, 'clean'),
    );
    return Buffer.from(`[${texts.join(',')}]`);
  });
}

function printRow(cells: readonly (string | number)[]): void {
  const [name, ...rest] = cells.map(String);
  console.log(`${name?.padEnd(8)}${rest.map((cell) => cell.padStart(10)).join('')}`);
}

printRow(['', 'conns', 'batch', 'events/s', 'req/s', 'p50', 'p99', 'RSS', 'of parse', 'of fsync']);
for (const connections of CONNECTIONS) {
  for (const batch of EVENTS_PER_REQUEST) {
    const bodies = bodiesOf(batch);
    const results = new Map<TargetName, Measured>();
    for (const name of TARGETS) {
      results.set(name, await measure(name, connections, bodies));
    }
    const ratioTo = (name: TargetName) =>
      ((results.get('sluice')?.perSecond ?? 0) / (results.get(name)?.perSecond ?? 0)).toFixed(2);
    for (const [name, { perSecond, p50, p99, rssMiB }] of results) {
      const rates = [Math.round(perSecond * batch), Math.round(perSecond)];
      const ratios = name === 'sluice' ? [ratioTo('parse'), ratioTo('fsync')] : [];
      printRow([
        name,
        connections,
        batch,
        ...rates,
        p50.toFixed(2),
        p99.toFixed(2),
        Math.round(rssMiB),
        ...ratios,
      ]);
    }
  }
}
