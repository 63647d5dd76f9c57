/**
 * Learns which paths and JSON types the events of a source have shown. Ingest compares an event
 * with what is known, adds what is new, and has it saved before the request is answered.
 */
import type { Clock, Logger } from '../ports.ts';
import type { Registry } from '../registry/types.ts';
import { LearnedSchema, MAX_PATHS } from './learned.ts';
import { sourceSchema } from './schema.ts';

/** Sources held in memory; the one opened first goes first. */
const MAX_SOURCES = 500;

/** Pause after a failure, so that a registry in trouble does not slow every request down. */
export const RETRY_MS = 5000;

interface OpenSource {
  readonly schema: LearnedSchema;
  isLoaded: boolean;
  loading: Promise<void> | undefined;
  saving: Saving | undefined;
  /** Milliseconds since the epoch before which the registry is left alone. */
  retryAt: number;
  isReportedFull: boolean;
}

/** A write to the registry that carries everything learned up to a revision. */
interface Saving {
  readonly revision: number;
  readonly done: Promise<void>;
}

/**
 * The schemas of all sources. Trouble with the registry is logged and never fails a request: what
 * could not be loaded or saved is tried again by the first request after {@link RETRY_MS}.
 */
export class SchemaLearner {
  readonly #registry: Pick<Registry, 'schema' | 'learn'>;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #sources = new Map<string, OpenSource>();

  constructor(deps: {
    registry: Pick<Registry, 'schema' | 'learn'>;
    logger: Logger;
    clock: Clock;
  }) {
    this.#registry = deps.registry;
    this.#logger = deps.logger;
    this.#clock = deps.clock;
  }

  /** The schema of a source, loaded from the registry once; empty while that fails. */
  async open(sourceToken: string): Promise<LearnedSchema> {
    const source = this.#sources.get(sourceToken) ?? this.#add(sourceToken);
    if (!source.isLoaded) {
      source.loading ??= this.#load(source);
      await source.loading;
    }
    return source.schema;
  }

  /** Resolves when the registry has all that the schema learned so far, or could not take it. */
  async save(schema: LearnedSchema): Promise<void> {
    const source = this.#sources.get(schema.sourceToken);
    if (source?.schema !== schema) {
      return;
    }
    this.#reportFull(source);
    if (schema.unsaved.size === 0) {
      return;
    }
    // A save under way carries what was learned before it began, and no more.
    if (source.saving?.revision !== schema.revision) {
      const earlier = source.saving?.done ?? Promise.resolve();
      const saving: Saving = {
        revision: schema.revision,
        done: earlier.then(async () => {
          await this.#write(source);
          // What a failed save left over is for the next one.
          if (source.saving === saving) {
            source.saving = undefined;
          }
        }),
      };
      source.saving = saving;
    }
    await source.saving.done;
  }

  #add(sourceToken: string): OpenSource {
    const [oldest] = this.#sources.keys();
    if (this.#sources.size >= MAX_SOURCES && oldest !== undefined) {
      this.#sources.delete(oldest);
    }
    const source: OpenSource = {
      schema: new LearnedSchema(sourceToken),
      isLoaded: false,
      loading: undefined,
      saving: undefined,
      retryAt: Number.NEGATIVE_INFINITY,
      isReportedFull: false,
    };
    this.#sources.set(sourceToken, source);
    return source;
  }

  async #load(source: OpenSource): Promise<void> {
    const { schema } = source;
    await this.#attempt(source, 'The schema of a source could not be loaded', async () => {
      schema.adopt(sourceSchema(await this.#registry.schema(schema.sourceToken)));
      source.isLoaded = true;
    });
    source.loading = undefined;
  }

  async #write(source: OpenSource): Promise<void> {
    const { schema } = source;
    const sent = [...schema.unsaved].map((node) => ({ node, mask: node.mask }));
    await this.#attempt(source, 'The schema of a source could not be saved', async () => {
      const added = Object.fromEntries(sent.map(({ node, mask }) => [node.path, mask]));
      await this.#registry.learn(schema.sourceToken, added);
      for (const { node, mask } of sent) {
        if (node.mask === mask) {
          schema.unsaved.delete(node);
        }
      }
    });
  }

  /** Runs a call to the registry, unless one failed a moment ago. */
  async #attempt(source: OpenSource, failure: string, call: () => Promise<void>): Promise<void> {
    if (this.#clock.now() < source.retryAt) {
      return;
    }
    try {
      await call();
    } catch (error) {
      source.retryAt = this.#clock.now() + RETRY_MS;
      this.#logger.error(failure, { source: source.schema.sourceToken, error: String(error) });
    }
  }

  #reportFull(source: OpenSource): void {
    const { sourceToken, isFull, leftOut } = source.schema;
    if (isFull && !source.isReportedFull) {
      source.isReportedFull = true;
      this.#logger.warn('The schema of a source is full: new paths are stored but not learned', {
        source: sourceToken,
        maxPaths: MAX_PATHS,
        leftOut,
      });
    }
  }
}
