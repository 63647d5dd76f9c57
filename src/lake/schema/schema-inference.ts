/**
 * Learns which paths and JSON types the events of a source have shown. Ingest compares an event with what
 * is known, adds what is new, and makes no row of it before that is saved: so a row holds nothing that the
 * registry does not know, and has a value in the slot of each of its paths.
 */

import type { Registry } from '../../catalog/types.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { InferredSchema, MAX_PATHS } from './inferred-schema.ts';
import { SlotMap, type TypedPath } from './slots.ts';

/** Sources held in memory; the one opened first goes first. */
const MAX_SOURCES = 500;

/** Saves of one schema: one under way, and one that takes up what was shown meanwhile. */
interface Saves {
  current: Promise<void> | undefined;
  next: Promise<void> | undefined;
}

/** The schemas of all sources. */
export class SchemaInference {
  readonly #registry: Pick<Registry, 'schema' | 'learn' | 'assignSlots'>;
  readonly #logger: Logger;
  readonly #sources = new Map<string, Promise<InferredSchema>>();
  readonly #saves = new WeakMap<InferredSchema, Saves>();
  readonly #reportedFull = new WeakSet<InferredSchema>();

  constructor(deps: {
    registry: Pick<Registry, 'schema' | 'learn' | 'assignSlots'>;
    logger: Logger;
  }) {
    this.#registry = deps.registry;
    this.#logger = deps.logger;
  }

  /**
   * The schema of a source, loaded from the registry once.
   *
   * @throws ServiceError `registry_unavailable` (503).
   */
  open(sourceToken: string): Promise<InferredSchema> {
    return this.#sources.get(sourceToken) ?? this.#load(sourceToken);
  }

  /**
   * Resolves when the registry has all that the schema has learned, with slots for the paths that may have
   * one. Requests at the same time share a save.
   *
   * @throws ServiceError `registry_unavailable` (503): none of it counts as saved then.
   */
  async save(schema: InferredSchema): Promise<void> {
    this.#reportFull(schema);
    if (schema.unsaved === undefined) return;
    const saves = this.#saves.get(schema) ?? { current: undefined, next: undefined };
    this.#saves.set(schema, saves);
    saves.next ??= this.#saveAfter(saves.current, saves, schema);
    await saves.next;
  }

  async #load(sourceToken: string): Promise<InferredSchema> {
    const [oldest] = this.#sources.keys();
    if (this.#sources.size >= MAX_SOURCES && oldest !== undefined) this.#sources.delete(oldest);
    const loading = this.#asked(
      sourceToken,
      async () => new InferredSchema(sourceToken, await this.#registry.schema(sourceToken)),
    );
    this.#sources.set(sourceToken, loading);
    try {
      return await loading;
    } catch (error) {
      if (this.#sources.get(sourceToken) === loading) this.#sources.delete(sourceToken);
      throw error;
    }
  }

  async #saveAfter(
    earlier: Promise<void> | undefined,
    saves: Saves,
    schema: InferredSchema,
  ): Promise<void> {
    // The requests that wait for the earlier save hear of its failure.
    await earlier?.catch(() => undefined);
    saves.current = saves.next;
    saves.next = undefined;
    await this.#asked(schema.sourceToken, () => this.#write(schema));
  }

  async #write(schema: InferredSchema): Promise<void> {
    const { unsaved, sourceToken } = schema;
    if (unsaved === undefined) return;
    const [slots] = await Promise.all([
      this.#assign(sourceToken, schema.slots, unsaved.paths),
      this.#registry.learn(sourceToken, unsaved.types),
    ]);
    schema.settle(unsaved, slots);
  }

  /** Ends because each time that another instance was quicker, there are fewer slots left. */
  async #assign(
    sourceToken: string,
    known: SlotMap,
    paths: readonly TypedPath[],
  ): Promise<SlotMap> {
    const wanted = known.extendedBy(paths);
    const added = wanted.entries.slice(known.entries.length);
    if (added.length === 0) return known;
    const entries = await this.#registry.assignSlots(sourceToken, known.entries, added);
    if (entries.length <= known.entries.length) {
      throw new Error('the slots of a source were neither given nor taken');
    }
    return this.#assign(sourceToken, new SlotMap(entries), paths);
  }

  /** What the registry answers; whatever keeps it from that, the client may try again. */
  async #asked<T>(sourceToken: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (cause) {
      this.#logger.error('The schema of a source could not be loaded or saved', {
        source: sourceToken,
        error: String(cause),
      });
      throw new ServiceError(
        'registry_unavailable',
        503,
        'The registry of sources does not answer at the moment, and events with new fields wait for it. Nothing was stored: try again.',
        { cause, retryAfterSeconds: 1 },
      );
    }
  }

  #reportFull(schema: InferredSchema): void {
    const { sourceToken, isFull, droppedPaths: leftOut } = schema;
    if (isFull && !this.#reportedFull.has(schema)) {
      this.#reportedFull.add(schema);
      this.#logger.warn('The schema of a source is full: new paths are stored but not learned', {
        source: sourceToken,
        maxPaths: MAX_PATHS,
        leftOut,
      });
    }
  }
}
