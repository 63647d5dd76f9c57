import { NOTHING_SHOWN } from '../../src/catalog/source-schema.ts';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import { SchemaInference } from '../../src/lake/schema/schema-inference.ts';
import { edgeEvent } from '../edge-event.ts';

const SOURCE = { token: '3d6f0a4e-9f0c-4a52-8f5e-2b7d1c9e4a10' };

/** The rows that the ingest pipeline makes of so many different events of 1 KB. */
export async function eventRows(count: number): Promise<readonly string[]> {
  const written: string[] = [];
  const logger = { info() {}, warn: fail, error: fail };
  const registry = {
    schema: async () => NOTHING_SHOWN,
    learn: async () => undefined,
    assignSlots: async (_: string, known: readonly string[], added: readonly string[]) => [
      ...known,
      ...added,
    ],
    sourceByToken: async () => undefined,
  };
  const pipeline = new IngestPipeline({
    sink: { write: async (rows) => void written.push(...rows) },
    inference: new SchemaInference({ registry, logger }),
    registry,
    clock: { now: () => Date.UTC(2026, 10, 1) },
    logger,
  });
  const events = Array.from({ length: count }, (_, index) => JSON.parse(edgeEvent(index, 'clean')));
  await pipeline.store(SOURCE, events);
  return written;
}

function fail(message: string): never {
  throw new Error(message);
}
