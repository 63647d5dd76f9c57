import { NOTHING_SHOWN } from '../src/catalog/source-schema.ts';
import { IngestPipeline } from '../src/ingest/pipeline.ts';
import type { EventSink } from '../src/lake/rows/event-sink.ts';
import { SchemaInference } from '../src/lake/schema/schema-inference.ts';
import type { Clock } from '../src/platform/clock.ts';
import type { Logger } from '../src/platform/log.ts';

/** The source of all events of a benchmark. */
export const SOURCE = { token: '3d6f0a4e-9f0c-4a52-8f5e-2b7d1c9e4a10' };

const clock: Clock = { now: () => Date.now() };

/** A benchmark in which something goes wrong measures nothing. */
export const failing: Logger = { info() {}, warn: fail, error: fail };

/** A registry that knows of nothing and gives every field its slot. */
const registry = {
  schema: async () => NOTHING_SHOWN,
  learn: async () => undefined,
  assignSlots: async (_token: string, known: readonly string[], added: readonly string[]) => [
    ...known,
    ...added,
  ],
  sourceByToken: async () => undefined,
};

/** The real pipeline of ingest before a sink. */
export function ingestPipeline(
  sink: EventSink,
  { clock: time = clock, logger = failing }: { clock?: Clock; logger?: Logger } = {},
): IngestPipeline {
  const inference = new SchemaInference({ registry, logger });
  return new IngestPipeline({ sink, inference, registry, clock: time, logger });
}

export function fail(message: string): never {
  throw new Error(message);
}
