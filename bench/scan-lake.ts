/** Fills a local lake through the ingest pipeline, as if its events had arrived over a day. */
import { IngestPipeline } from '../src/ingest/pipeline.ts';
import { SchemaLearner } from '../src/lake/learner.ts';
import { type FlatSchema, type SourceSchema, schemaFromFlat } from '../src/lake/schema.ts';
import { LocalLake } from '../src/local/lake.ts';
import type { Clock, Logger } from '../src/ports.ts';
import type { Catalog } from '../src/sql/compile.ts';
import { projectEvent, randomFrom } from './scan-event.ts';
import { PROMOTED } from './scan-queries.ts';

export const EDGE_SOURCE = {
  name: 'cloudflare.logs.prod',
  token: '3d6f0a4e-9f0c-4a52-8f5e-2b7d1c9e4a10',
};
/** The longest that Firehose collects for a file; an hour is a whole number of them. */
export const FILE_MS = 15 * 60_000;
const EVENTS_PER_REQUEST = 500;

export interface FilledLake {
  readonly lake: LocalLake;
  readonly clock: Clock;
  readonly catalog: Catalog;
}

export interface FillOptions {
  readonly directory: string;
  /** Arrival of the first event, and of the last, milliseconds since the epoch; whole quarter hours. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly events: number;
  readonly progress: (stored: number) => void;
}

/** Events arrive evenly, each at its event time or up to seconds later, one file a quarter hour. */
export async function fillLake(options: FillOptions): Promise<FilledLake> {
  const { directory, fromMs, toMs, events, progress } = options;
  let nowMs = fromMs;
  const clock = { now: () => nowMs };
  const lake = await LocalLake.open({
    directory,
    clock,
    logger,
    added: PROMOTED,
  });
  const known = new Map<string, number>();
  const registry = memoryOf(known);
  const learner = new SchemaLearner({ registry, logger });
  const pipeline = new IngestPipeline({
    sink: lake.sink,
    learner,
    registry,
    clock,
    logger,
  });
  const random = randomFrom(1);
  const stepMs = (toMs - fromMs) / events;

  let next = 0;
  let filed = Promise.resolve();
  for (let endMs = fromMs + FILE_MS; endMs <= toMs; endMs += FILE_MS) {
    const end = Math.round((endMs - fromMs) / stepMs);
    while (next < end) {
      const count = Math.min(EVENTS_PER_REQUEST, end - next);
      const batch = Array.from({ length: count }, (_, index) =>
        projectEvent(Math.floor(fromMs + (next + index) * stepMs), random),
      );
      next += count;
      nowMs = Math.floor(fromMs + (next - 1) * stepMs);
      const { stored } = await pipeline.store(EDGE_SOURCE, batch);
      if (stored !== count) throw new Error(`Only ${stored} of ${count} events were stored.`);
    }
    // One file is written while the next one's events are made, and never more than one.
    await filed;
    filed = lake.flush();
    progress(next);
  }
  await filed;
  nowMs = toMs;
  const schema = schemaFromFlat(Object.fromEntries(known));
  const source = { id: EDGE_SOURCE.token, name: EDGE_SOURCE.name, schema };
  return {
    lake,
    clock,
    // The other sources of logs.all exist, and no event of theirs was ever seen.
    catalog: {
      source: (name) =>
        name === EDGE_SOURCE.name ? source : { id: name, name, schema: schemaFromFlat({}) },
    },
  };
}

function memoryOf(known: Map<string, number>) {
  return {
    schema: async (): Promise<SourceSchema> => ({ types: Object.fromEntries(known), slots: [] }),
    assignSlots: async (_token: string, known: readonly string[], added: readonly string[]) => [
      ...known,
      ...added,
    ],
    learn: async (_token: string, added: FlatSchema) => {
      for (const [path, mask] of Object.entries(added)) {
        known.set(path, (known.get(path) ?? 0) | mask);
      }
    },
    sourceByToken: async () => undefined,
  };
}

const logger: Logger = {
  info() {},
  warn(message) {
    throw new Error(message);
  },
  error(message, fields) {
    throw new Error(`${message}: ${fields?.error}`);
  },
};
