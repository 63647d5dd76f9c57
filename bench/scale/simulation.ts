import { MS_PER_EVENT, MS_PER_REQUEST } from '../../src/cost/ingest.ts';
import { FirehoseSink } from '../../src/ingest/delivery/firehose/firehose-sink.ts';
import { decodeRecord } from '../../src/ingest/delivery/record/record-encoding.ts';
import { Redrive } from '../../src/ingest/delivery/redrive/redrive.ts';
import { readMessage } from '../../src/ingest/delivery/spill/spilled-record.ts';
import { SqsSpillQueue } from '../../src/ingest/delivery/spill/sqs-spill-queue.ts';
import { eventRows } from './event-rows.ts';
import { QuotaStreams, StandInQueue, type StreamMood, type StreamQuota } from './stand-ins.ts';
import { VirtualTime } from './virtual-time.ts';

/** What happens from a moment on, until the next phase. */
export interface Phase {
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly mood?: StreamMood;
}

export interface Scenario {
  readonly name: string;
  readonly streams: number;
  readonly quota: StreamQuota;
  /** Instances of the ingest function that there may be at once. */
  readonly instances: number;
  readonly eventsPerRequest: number;
  /** Messages that a call of the redrive gets. */
  readonly redriven: number;
  readonly phases: readonly Phase[];
}

export interface Outcome {
  readonly name: string;
  /** Events that were answered with 200, and those of them that are neither stored nor parked. */
  readonly acknowledged: number;
  readonly lost: number;
  /** Stored more than once. */
  readonly twice: number;
  /** Events whose record was parked at some time, and those that still are at the end. */
  readonly parked: number;
  readonly left: number;
  /** Requests that found no instance and were sent again, counted each time. */
  readonly turnedAway: number;
  /** Seconds from an event's first arrival until the stream had it. */
  readonly wait: { readonly median: number; readonly p99: number; readonly worst: number };
  /** Seconds from the end of the last phase until nothing was parked any more. */
  readonly drained: number;
}

/** As Lambda polls the spill queue: see `lib/ingest/redrive.ts` and `spill-queue.ts`. */
const REDRIVE = { calls: 2, bytes: 6_000_000, windowMs: 5_000, hiddenMs: 185_000 };

/** An agent that was refused sends again after this, which is what most begin with. */
const AGENT_RETRY_MS = 1_000;

/** Time after the last phase in which what is parked may go. */
const DRAIN_MS = 24 * 3_600_000;

const TEMPLATES = 200;
const ID = /"id":"[^"]*"/;

/**
 * Plays a scenario with the real packing, compression, sink, spill queue and redrive. Only the services and
 * the clock are stand-ins.
 *
 * @throws what any part throws that is no refusal
 */
export async function simulate(scenario: Scenario): Promise<Outcome> {
  const { eventsPerRequest, phases } = scenario;
  const time = new VirtualTime();
  const rows = (await eventRows(TEMPLATES)).map((row) => row.split(ID));
  const expected = phases.reduce(
    (sum, { seconds, requestsPerSecond }) => sum + seconds * requestsPerSecond,
    0,
  );
  const requests = Math.ceil(expected) + phases.length;
  const arrivedAt = new Float64Array(requests);
  const stored = new Uint8Array(requests * eventsPerRequest);
  const waits = new Float64Array(requests * eventsPerRequest).fill(Number.NaN);
  const acknowledged = new Uint8Array(requests);

  const names = Array.from({ length: scenario.streams }, (_, index) => `landing-${index + 1}`);
  const streams = new QuotaStreams(time, names, scenario.quota, (record, at) => {
    for (const id of idsIn(record)) {
      stored[id] = (stored[id] ?? 0) + 1;
      if (stored[id] === 1)
        waits[id] = (at - (arrivedAt[Math.floor(id / eventsPerRequest)] ?? 0)) / 1_000;
    }
  });
  const queue = new StandInQueue(time);
  const common = { clock: time, sleep: time.sleep, logger: { info() {}, warn() {}, error() {} } };
  let parked = 0;
  const instance = () =>
    new FirehoseSink({
      ...common,
      client: streams.client(),
      stream: names,
      spillQueue: new SqsSpillQueue({
        ...common,
        client: queue.client,
        queueUrl: 'queue',
        objects: { put: () => Promise.reject(new Error('no record is that large')) },
      }),
      metrics: {
        record: (name, value) => {
          if (name === 'EventsParked') parked += value;
        },
      },
    });

  // The instance that was busy last is the next one to be called.
  const idle: FirehoseSink[] = [];
  let [busy, turnedAway, request, ended] = [0, 0, 0, false];
  const serve = async (number: number): Promise<void> => {
    arrivedAt[number] = time.now();
    const batch = Array.from({ length: eventsPerRequest }, (_, index) => {
      const [before = '', after = ''] = rows[(number + index) % rows.length] ?? [];
      return `${before}"id":"${number * eventsPerRequest + index}"${after}`;
    });
    while (busy >= scenario.instances) {
      turnedAway += 1;
      await time.sleep(AGENT_RETRY_MS);
    }
    busy += 1;
    const sink = idle.pop() ?? instance();
    await time.sleep(MS_PER_REQUEST + MS_PER_EVENT * eventsPerRequest);
    // What the sink does not take is answered with 503, which none of these scenarios has.
    await sink.write(batch);
    acknowledged[number] = 1;
    busy -= 1;
    idle.push(sink);
  };

  time.start(async () => {
    for (const { seconds, requestsPerSecond, mood = {} } of phases) {
      streams.mood = mood;
      for (let sent = 0; sent < Math.round(seconds * requestsPerSecond); sent++) {
        const number = request++;
        time.start(() => serve(number));
        await time.sleep(1_000 / requestsPerSecond);
      }
    }
    streams.mood = {};
    ended = true;
  });

  const phasesMs = phases.reduce((sum, { seconds }) => sum + seconds * 1_000, 0);
  const end = time.now() + phasesMs + DRAIN_MS;
  const redrive = new Redrive({
    ...common,
    client: streams.client(),
    stream: names,
    objects: { get: () => Promise.reject(new Error('no record is that large')) },
  });
  for (let poller = 0; poller < REDRIVE.calls; poller++) {
    time.start(async () => {
      while (time.now() < end && !(ended && busy === 0 && queue.messages.size === 0)) {
        await time.sleep(REDRIVE.windowMs);
        const messages = queue.receive(scenario.redriven, REDRIVE.bytes, REDRIVE.hiddenMs);
        if (messages.length === 0) continue;
        const waiting = new Set(await redrive.run(messages));
        for (const { id } of messages) if (!waiting.has(id)) queue.messages.delete(id);
      }
    });
  }
  const startedAt = time.now();
  await time.run();

  const ids = Array.from({ length: request * eventsPerRequest }, (_, id) => id);
  const known = ids.filter((id) => acknowledged[Math.floor(id / eventsPerRequest)] === 1);
  const waiting = new Set([...queue.messages.values()].flatMap(({ text }) => parkedIds(text)));
  const sorted = waits.filter((wait) => !Number.isNaN(wait)).sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return {
    name: scenario.name,
    acknowledged: known.length,
    lost: known.filter((id) => stored[id] === 0 && !waiting.has(id)).length,
    twice: known.filter((id) => (stored[id] ?? 0) > 1).length,
    parked,
    left: waiting.size,
    turnedAway,
    wait: { median: at(0.5), p99: at(0.99), worst: at(1) },
    drained: Math.max(0, (time.now() - startedAt - phasesMs) / 1_000),
  };
}

function parkedIds(text: string): number[] {
  const message = readMessage(text);
  return 'record' in message ? idsIn(Buffer.from(message.record, 'base64')) : [];
}

function idsIn(record: Uint8Array): number[] {
  const text = Buffer.from(decodeRecord(record).bytes).toString('latin1');
  return [...text.matchAll(/"id":"(\d+)"/g)].map(([, id]) => Number(id));
}
