import { Authenticator } from '../../../../src/access/authenticator.ts';
import { hashKey } from '../../../../src/access/keys.ts';
import { SOURCE_DEFAULTS } from '../../../../src/catalog/source-defaults.ts';
import { NOTHING_SHOWN } from '../../../../src/catalog/source-schema.ts';
import type { Source } from '../../../../src/catalog/types.ts';
import { createIngestApp } from '../../../../src/http/apps/ingest-app.ts';
import {
  DEFAULT_INGEST_LIMITS,
  type IngestDeps,
} from '../../../../src/http/routes/ingest/ingest-routes.ts';
import type { StoreOutcome } from '../../../../src/ingest/event/store-outcome.ts';
import { RateLimiter } from '../../../../src/ingest/limits/rate-limiter.ts';
import { DEFAULT_RATES, type SharedBuckets } from '../../../../src/ingest/limits/token-bucket.ts';
import { IngestPreview } from '../../../../src/ingest/preview.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { fixedClock, recordingLogger } from '../../support.ts';

export const WEB: Source = source('6a1b6f0e-9a3f-4f8c-8d3e-0a4e5c1d2b3f', 'web.logs');
export const DATABASE: Source = source('0c9d8e7f-1a2b-4c3d-9e4f-5a6b7c8d9e0f', 'database.logs');

/** A key that may ingest into every source. */
export const KEY = 'ingest-everything';

function source(token: string, name: string): Source {
  const at = '2026-01-01T00:00:00.000Z';
  return { token, name, ...SOURCE_DEFAULTS, insertedAt: at, updatedAt: at };
}

/** Buckets that are always full. */
const BOUNDLESS: SharedBuckets = {
  draw: async (_bucket, { tokens }) => ({ granted: tokens, theoreticalArrivalTime: 0 }),
};

/** A pipeline that keeps what it is given and answers as told. */
class RecordingPipeline {
  readonly stored: { source: string; events: readonly unknown[] }[] = [];
  readonly #answer: (events: readonly unknown[]) => StoreOutcome;

  constructor(answer: (events: readonly unknown[]) => StoreOutcome) {
    this.#answer = answer;
  }

  async store(to: Pick<Source, 'token'>, events: readonly unknown[]): Promise<StoreOutcome> {
    const outcome = this.#answer(events);
    this.stored.push({ source: to.token, events });
    return outcome;
  }
}

export interface Post {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  /** Sent as it is when text or bytes, else as JSON. */
  readonly body?: unknown;
}

/** The ingest app over two sources and keys given as secret to scopes. */
export function ingestApp(
  options: {
    readonly keys?: Record<string, readonly string[]>;
    readonly limits?: IngestDeps['limits'];
    readonly store?: (events: readonly unknown[]) => StoreOutcome;
    /** Instead of the one that records. */
    readonly pipeline?: IngestDeps['pipeline'];
    /** Where limits are counted; no limit is ever reached when left out. */
    readonly shared?: SharedBuckets;
    readonly clock?: Clock;
    /** What is known instead of the two sources. */
    readonly sources?: readonly Source[];
    /** Events per second of all keys. */
    readonly keyRate?: number;
    /** Where refusals go. */
    readonly recorder?: IngestDeps['recorder'];
    readonly metrics?: IngestDeps['metrics'];
  } = {},
) {
  const keys = Object.entries({ [KEY]: ['ingest'], ...options.keys }).map(([secret, scopes]) => ({
    id: secret,
    hash: hashKey(secret),
    scopes,
    description: null,
    rate_limit: options.keyRate ?? null,
    insertedAt: '2026-01-01T00:00:00.000Z',
  }));
  const { sources = [WEB, DATABASE], clock = fixedClock } = options;
  const registry = {
    accessKeyByHash: async (hash: string) => keys.find((key) => key.hash === hash),
    sourceByToken: async (token: string) => sources.find((known) => known.token === token),
    sourceNames: async () => sources.map(({ name }) => name),
    sourceByName: async (name: string) => sources.find((known) => known.name === name),
    schema: async () => NOTHING_SHOWN,
  };
  const pipeline = new RecordingPipeline(
    options.store ?? ((events) => ({ stored: events.length, rejected: [] })),
  );
  const { logger, lines } = recordingLogger();
  const app = createIngestApp({
    registry,
    pipeline: options.pipeline ?? pipeline,
    authenticator: new Authenticator({ registry, clock }),
    limiter: new RateLimiter({
      shared: options.shared ?? BOUNDLESS,
      defaults: DEFAULT_RATES,
      clock,
      logger,
    }),
    recorder: options.recorder ?? { record: async () => {} },
    preview: new IngestPreview({ clock, registry }),
    limits: options.limits ?? DEFAULT_INGEST_LIMITS,
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    logger,
    clock,
  });

  /** Posts JSON with the all-round key, to the web source unless the path says otherwise. */
  const post = ({ path = `/logs?source=${WEB.token}`, headers, body = {} }: Post = {}) =>
    app.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-KEY': KEY, ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  return { app, post, stored: pipeline.stored, lines };
}
