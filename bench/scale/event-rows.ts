import { edgeEvent } from '../edge-event.ts';
import { ingestPipeline, SOURCE } from '../ingest-pipeline.ts';

/** The rows that the ingest pipeline makes of so many different events of 1 KB. */
export async function eventRows(count: number): Promise<readonly string[]> {
  const written: string[] = [];
  const sink = { write: async (rows: readonly string[]) => void written.push(...rows) };
  const pipeline = ingestPipeline(sink, { clock: { now: () => Date.UTC(2026, 10, 1) } });
  const events = Array.from({ length: count }, (_, index) => JSON.parse(edgeEvent(index, 'clean')));
  await pipeline.store(SOURCE, events);
  return written;
}
