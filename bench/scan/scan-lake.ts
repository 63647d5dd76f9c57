/** Fills a local lake through the ingest pipeline, as if its events had arrived over some time. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import { LANDING_TABLE } from '../../src/lake/layout/columns.ts';
import { sourceSchema } from '../../src/lake/schema/schema.ts';
import { SchemaInference } from '../../src/lake/schema/schema-inference.ts';
import { LocalLake } from '../../src/local/lake.ts';
import { listParquetFiles, partitionHour } from '../../src/local/storage/parquet/parquet-files.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Logger } from '../../src/platform/log.ts';
import type { Catalog } from '../../src/sql/compile.ts';
import { MemorySchemas } from '../../test/support/memory-schemas.ts';
import { appEvent } from '../app-event.ts';
import { projectEvent, type Random, randomFrom } from './scan-event.ts';

/** A source, and what makes its events: given their time, milliseconds since the epoch. */
export interface BenchSource {
  readonly name: string;
  readonly token: string;
  readonly event: (timestamp: number, random: Random) => unknown;
}

export const EDGE_SOURCE: BenchSource = {
  name: 'cloudflare.logs.prod',
  token: '3d6f0a4e-9f0c-4a52-8f5e-2b7d1c9e4a10',
  event: projectEvent,
};
export const APP_SOURCE: BenchSource = {
  name: 'app.logs',
  token: '8a1c2f7b-03de-4c5a-9b61-7f4e2d90c3aa',
  event: appEvent,
};
export const SOURCES = [EDGE_SOURCE, APP_SOURCE];

/** The longest that Firehose collects for a file; an hour is a whole number of them. */
export const FILE_MS = 15 * 60_000;

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
  readonly source: BenchSource;
  readonly eventsPerRequest: number;
  readonly progress: (stored: number) => void;
}

/** Events arrive evenly, each at its event time or up to seconds later, one file a quarter hour. */
export async function fillLake(options: FillOptions): Promise<FilledLake> {
  const { directory, fromMs, toMs, events, source, eventsPerRequest, progress } = options;
  let nowMs = fromMs;
  const clock = { now: () => nowMs };
  const lake = await LocalLake.open({ directory, clock, logger });
  const schemas = new MemorySchemas();
  const registry = Object.assign(schemas, { sourceByToken: async () => undefined });
  const inference = new SchemaInference({ registry, logger });
  const pipeline = new IngestPipeline({ sink: lake.sink, inference, registry, clock, logger });
  const random = randomFrom(1);
  const stepMs = (toMs - fromMs) / events;

  let next = 0;
  let filed = Promise.resolve();
  for (let endMs = fromMs + FILE_MS; endMs <= toMs; endMs += FILE_MS) {
    const end = Math.round((endMs - fromMs) / stepMs);
    while (next < end) {
      const count = Math.min(eventsPerRequest, end - next);
      const batch = Array.from({ length: count }, (_, index) =>
        source.event(Math.floor(fromMs + (next + index) * stepMs), random),
      );
      next += count;
      nowMs = Math.floor(fromMs + (next - 1) * stepMs);
      const { stored } = await pipeline.store(source, batch);
      if (stored !== count) throw new Error(`Only ${stored} of ${count} events were stored.`);
    }
    // One file is written while the next one's events are made, and never more than one.
    await filed;
    filed = lake.flush();
    progress(next);
  }
  await filed;
  nowMs = toMs;
  return { lake, clock, catalog: catalogOf(schemas) };
}

/** Copies landing hours before a time to the compacted table, as the job does. */
export async function compactHours(lake: LocalLake, directory: string, beforeMs: number) {
  const paths = await listParquetFiles(join(directory, 'lake', LANDING_TABLE));
  for (const hour of [...new Set(paths.map(partitionHour))].sort((a, b) => a - b)) {
    if (hour >= beforeMs) continue;
    await lake.compaction.copy(hour, await lake.compaction.missingDays(hour), randomUUID());
  }
}

/** The other sources of logs.all exist, and no event of theirs was ever seen. */
function catalogOf(schemas: MemorySchemas): Catalog {
  return {
    source: (name) => {
      const token = SOURCES.find((source) => source.name === name)?.token ?? name;
      return { id: token, name, schema: sourceSchema(schemas.stored(token)) };
    },
  };
}

export const logger: Logger = {
  info() {},
  warn(message) {
    throw new Error(message);
  },
  error(message, fields) {
    throw new Error(`${message}: ${fields?.error}`);
  },
};
