import type { FlatSchema, SourceSchema } from '../../src/catalog/source-schema.ts';
import type { Source } from '../../src/catalog/types.ts';
import { decodeRequest } from '../../src/ingest/decode/decode.ts';
import type { StoreOutcome } from '../../src/ingest/event/store-outcome.ts';
import { FORMATS } from '../../src/ingest/formats/index.ts';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import { slotColumn } from '../../src/lake/layout/columns.ts';
import { SchemaInference } from '../../src/lake/schema/schema-inference.ts';
import { parseEntry } from '../../src/lake/schema/slots.ts';
import type { LogFields, Logger } from '../../src/platform/log.ts';
import { MemorySchemas } from '../support/memory-schemas.ts';

/** 2025-06-01T12:00:00Z: what time it is in these tests. */
export const NOW_MS = Date.UTC(2025, 5, 1, 12);
export const NOW_US = NOW_MS * 1000;

export const SOURCE = { token: '8a1c7f4e-52b3-4a7e-9d10-6f3b2c5d7e90' };

export class MemoryLogger implements Logger {
  readonly lines: { level: string; message: string; fields: LogFields }[] = [];

  info(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }
}

/** A registry that keeps schemas in memory, and the calls it got. */
export class MemoryRegistry extends MemorySchemas {
  /** What rules may copy to, by token. */
  readonly sources = new Map<string, Source>();
  /** What was learned, and which slots were assigned, call by call. */
  readonly calls: FlatSchema[] = [];
  readonly assigned: (readonly string[])[] = [];
  loads = 0;
  /** When set, calls fail with it. */
  failure: Error | undefined;

  async sourceByToken(token: string): Promise<Source | undefined> {
    return this.sources.get(token);
  }

  override async schema(sourceToken: string): Promise<SourceSchema> {
    this.loads++;
    if (this.failure !== undefined) throw this.failure;
    return super.schema(sourceToken);
  }

  override async learn(sourceToken: string, added: FlatSchema): Promise<void> {
    this.calls.push(added);
    if (this.failure !== undefined) throw this.failure;
    await super.learn(sourceToken, added);
  }

  override async assignSlots(
    sourceToken: string,
    known: readonly string[],
    added: readonly string[],
  ): Promise<readonly string[]> {
    this.assigned.push(added);
    if (this.failure !== undefined) throw this.failure;
    return super.assignSlots(sourceToken, known, added);
  }
}

/** A pipeline whose sink, registry, log and clock are in memory. */
export class Harness {
  readonly rows: string[] = [];
  readonly writes: number[] = [];
  readonly logger = new MemoryLogger();
  readonly registry = new MemoryRegistry();
  nowMs = NOW_MS;
  sinkFailure: Error | undefined;
  readonly clock = { now: () => this.nowMs };
  readonly inference = new SchemaInference(this);
  readonly pipeline = new IngestPipeline({
    sink: {
      write: async (rows) => {
        if (this.sinkFailure !== undefined) throw this.sinkFailure;
        this.writes.push(rows.length);
        this.rows.push(...rows);
      },
    },
    inference: this.inference,
    registry: this.registry,
    clock: this.clock,
    logger: this.logger,
  });

  store(events: readonly unknown[]): Promise<StoreOutcome> {
    return this.pipeline.store(SOURCE, events);
  }

  /** Posts a body to a route; objects are sent as their JSON text. */
  async post(
    body: unknown,
    path = '',
    options: Omit<DecodeOptions, 'path'> = {},
  ): Promise<StoreOutcome> {
    const { events } = await decode(body, { ...options, path });
    return this.store(events);
  }

  /** What the rows have in slots, by its path. */
  async slots(): Promise<Record<string, string>[]> {
    return Promise.all(
      this.rows.map(async (text) => {
        const row = JSON.parse(text);
        const { slots } = await this.registry.schema(row.source_id);
        return Object.fromEntries(
          slots
            .map((entry, slot) => [parseEntry(entry).path, row[slotColumn(slot)]])
            .filter(([, value]) => value !== undefined),
        );
      }),
    );
  }

  /** The rows as events: columns and body fields side by side, without what the server adds. */
  get events(): Record<string, unknown>[] {
    return this.rows.map(storedEvent);
  }
}

export interface DecodeOptions {
  readonly path?: string;
  readonly contentType?: string | undefined;
  readonly contentEncoding?: string;
  readonly maxInflatedBytes?: number;
  /** By name in lower case; the content type is one of them anyway. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the address, without a question mark. */
  readonly query?: string;
}

export function decode(body: unknown, options: DecodeOptions = {}) {
  const { path = '', contentEncoding, maxInflatedBytes = 1_000_000 } = options;
  const format = FORMATS.find((candidate) => candidate.path === path);
  if (format === undefined) throw new Error(`There is no format at ${path}.`);
  const contentType = 'contentType' in options ? options.contentType : 'application/json';
  const headers: Record<string, string> = {
    ...options.headers,
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  return decodeRequest({
    format,
    contentType,
    contentEncoding,
    headers: () => headers,
    address: {
      path,
      query: (name) => new URLSearchParams(options.query).get(name) ?? undefined,
    },
    body: bytesOf(body),
    maxInflatedBytes,
  });
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** What a row says of the event itself, as Logflare would show it. */
export function storedEvent(row: string): Record<string, unknown> {
  const { id, timestamp_us, event_message, project, metadata, body } = JSON.parse(row);
  const event: Record<string, unknown> = {
    ...(body === undefined ? {} : JSON.parse(body)),
    id,
    timestamp: timestamp_us,
  };
  if (event_message !== undefined) event.event_message = event_message;
  if (project !== undefined) event.project = project;
  if (metadata !== undefined) event.metadata = JSON.parse(metadata);
  return event;
}

/** The event without id and timestamp, for tests of everything else. */
export function withoutIdAndTime(event: Record<string, unknown> | undefined): unknown {
  const { id: _id, timestamp: _timestamp, ...rest } = event ?? {};
  return rest;
}
