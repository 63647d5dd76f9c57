import { randomUUID } from 'node:crypto';
import type { Registry } from '../../catalog/types.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SchemaInference } from '../schema/schema-inference.ts';
import type { EventSink } from './event-sink.ts';
import { jsonColumn } from './json-column.ts';
import { landingRow, rowFrame } from './row.ts';

/** An event of the service's own. */
export interface OwnEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly message: string;
  readonly metadata: object;
}

export interface OwnEventsDeps {
  readonly sink: EventSink;
  readonly registry: Pick<Registry, 'sourceByName'>;
  readonly inference: SchemaInference;
  readonly clock: Clock;
}

/**
 * Writes events of the service's own to a source, as long as there is one: who renames or deletes it ends
 * them. Rows go to the sink as they are, past settings and rules of the source.
 *
 * @throws what the registry and the sink throw.
 */
export async function writeOwnEvents(
  name: string,
  events: readonly OwnEvent[],
  { sink, registry, inference, clock }: OwnEventsDeps,
): Promise<void> {
  const source = await registry.sourceByName(name);
  if (source === undefined) return;
  const schema = await inference.open(source.token);
  for (const { metadata } of events) schema.learn({ metadata });
  await inference.save(schema);
  const frame = rowFrame(source.token, clock.now());
  const rows = events.map(({ at, message, metadata }) => {
    const event = {
      id: randomUUID(),
      time: { ms: at, us: 0 },
      message,
      project: undefined,
      metadata: jsonColumn(metadata),
      body: undefined,
    };
    return landingRow(event, frame, schema.root);
  });
  await sink.write(rows);
}
