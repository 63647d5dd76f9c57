import type { Registry, Source } from '../catalog/types.ts';
import { SLOT_COLUMNS } from '../lake/layout/columns.ts';
import { SchemaInference } from '../lake/schema/schema-inference.ts';
import { parseEntry } from '../lake/schema/slots.ts';
import type { Clock } from '../platform/clock.ts';
import { parseJson } from '../platform/json/json.ts';
import type { Logger } from '../platform/log.ts';
import { IngestPipeline } from './pipeline.ts';

/** Events that are echoed at most. */
const MAX_ECHOED = 100;

/** Characters of rows after which no more are echoed: an answer of a Lambda holds 6 MB. */
const MAX_ECHOED_LENGTH = 1_000_000;

/** What would come of the events of a request. */
export interface Preview {
  /** How many would be stored, fit the drop filter of the source, and be refused. */
  readonly stored: number;
  readonly dropped: number;
  readonly rejected: number;
  /** In the order of the request: as stored, or why not; copies that rules make follow their event. */
  readonly events: readonly (EchoedEvent | EchoedRejection | EchoedDrop)[];
  /** How many of the last events are not among `events`, to keep the answer short. */
  readonly not_shown: number;
}

export interface EchoedRejection {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly rejected: string;
}

export interface EchoedDrop {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly dropped: true;
}

/** A row of the landing table, with its JSON columns as JSON. */
export interface EchoedEvent {
  /** Position in the request, from 0. */
  readonly index: number;
  /** UUID of the source that a rule copies the event to; absent for the event itself. */
  readonly copied_to?: unknown;
  readonly id: unknown;
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Microseconds since the epoch. */
  readonly timestamp_us: unknown;
  readonly event_message?: unknown;
  readonly project?: unknown;
  readonly metadata?: unknown;
  /** All other top-level fields. */
  readonly fields?: unknown;
  /** Values that queries read from slots, by their paths; `{}` where an object lies. */
  readonly slots: Readonly<Record<string, unknown>>;
}

/** What a preview reads of the registry. */
type PreviewRegistry = Pick<Registry, 'sourceByToken' | 'schema'>;

/** Shows what the pipeline would store, by running it without a sink and without teaching the registry. */
export class IngestPreview {
  readonly #clock: Clock;
  readonly #registry: PreviewRegistry;

  constructor(deps: { clock: Clock; registry: PreviewRegistry }) {
    this.#clock = deps.clock;
    this.#registry = deps.registry;
  }

  async preview(source: Source, events: readonly unknown[]): Promise<Preview> {
    const rows: string[] = [];
    const inference = forgetfulInference(this.#registry);
    const pipeline = dryPipeline(rows, this.#clock.now(), this.#registry, inference);
    const echoed: (EchoedEvent | EchoedRejection | EchoedDrop)[] = [];
    let stored = 0;
    let dropped = 0;
    let rejected = 0;
    let length = 0;
    let shown = 0;
    for (const [index, event] of events.entries()) {
      const outcome = await pipeline.store(source, [event]);
      stored += outcome.stored;
      dropped += outcome.dropped ?? 0;
      rejected += outcome.rejected.length;
      if (index < MAX_ECHOED && length <= MAX_ECHOED_LENGTH) {
        shown += 1;
        length += rows.reduce((sum, row) => sum + row.length, 0);
        for (const row of rows) echoed.push(await echo(row, index, source, inference));
        if (outcome.dropped !== undefined) echoed.push({ index, dropped: true });
        echoed.push(...outcome.rejected.map(({ reason }) => ({ index, rejected: reason })));
      }
      rows.length = 0;
    }
    return {
      stored,
      dropped,
      rejected,
      events: echoed,
      not_shown: events.length - shown,
    };
  }
}

/** Learns what events show on top of what the registry knows, and saves none of it. */
function forgetfulInference(registry: PreviewRegistry): SchemaInference {
  return new SchemaInference({
    registry: {
      schema: (token) => registry.schema(token),
      learn: async () => {},
      assignSlots: async (_token, known, added) => [...known, ...added],
    },
    logger: SILENT,
  });
}

/** A pipeline whose rows end in a list, and which logs nothing. */
function dryPipeline(
  rows: string[],
  nowMs: number,
  registry: PreviewRegistry,
  inference: SchemaInference,
): IngestPipeline {
  return new IngestPipeline({
    sink: {
      write: async (written) => {
        rows.push(...written);
      },
    },
    inference,
    registry,
    clock: { now: () => nowMs },
    logger: SILENT,
  });
}

const SILENT: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** How a row's `timestamp` is written: a space for the `T`, and UTC without saying so. */
function rfc3339(timestamp: string): string {
  return `${timestamp.replace(' ', 'T')}Z`;
}

async function echo(
  row: string,
  index: number,
  source: Source,
  inference: SchemaInference,
): Promise<EchoedEvent> {
  const columns = parseJson(row) as Readonly<Record<string, unknown>>;
  const { source_id, id, timestamp, timestamp_us } = columns;
  const { event_message, project, metadata, body } = columns;
  const { slots } = await inference.open(source_id as string);
  const filled = slots.entries
    .map((entry, slot) => [parseEntry(entry).path, columns[SLOT_COLUMNS[slot]?.name ?? '']])
    .filter(([, value]) => value !== undefined);
  return {
    index,
    ...(source_id === source.token ? {} : { copied_to: source_id }),
    id,
    timestamp: rfc3339(timestamp as string),
    timestamp_us,
    ...(event_message === undefined ? {} : { event_message }),
    ...(project === undefined ? {} : { project }),
    ...(metadata === undefined ? {} : { metadata: parseJson(metadata as string) }),
    ...(body === undefined ? {} : { fields: parseJson(body as string) }),
    slots: Object.fromEntries(filled),
  };
}
