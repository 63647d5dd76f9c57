import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { DEFAULT_RATES } from '../../../src/ingest/limits/token-bucket.ts';
import { startServer } from '../../../src/local/server.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { DEFAULT_LOCAL_LIMITS } from '../../../src/query/execution/duckdb/local-limits.ts';
import { Client } from './client.ts';

export const ADMIN_KEY = 'the-admin-key-of-end-to-end-tests';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * What the end-to-end cases run on: the server of a laptop, or with `npm run test:wire` the chain
     * of what runs on AWS (`test/wire/chain`). The former where nothing is said.
     */
    service: 'local' | 'chain';
  }
}

/** Whether the cases run on the chain. */
export const onChain = inject('service') === 'chain';

export interface Running {
  /** The service as its admin sees it. */
  readonly sluice: Client;
  /**
   * Resolves when queries see all that was acknowledged, and every function what was saved. That is so
   * at once on a laptop; on AWS it takes the buffering of Firehose and ten seconds.
   */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-e2e-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Starts the whole service on a free port. */
export async function startService(
  dataDirectory: string,
  rateLimits = DEFAULT_RATES,
): Promise<Running> {
  if (onChain) {
    const { startChainService } = await import('../../wire/chain/service.ts');
    return startChainService(dataDirectory, rateLimits);
  }
  const server = await startServer(
    {
      port: 0,
      host: '127.0.0.1',
      dataDirectory,
      adminKey: ADMIN_KEY,
      logLevel: 'error',
      rateLimits,
      limits: DEFAULT_LOCAL_LIMITS,
    },
    { logger: createLogger({ clock: systemClock, write: () => {} }) },
  );
  return {
    sluice: new Client(server.url, ADMIN_KEY),
    settle: async () => {},
    close: () => server.close(),
  };
}

/** One service with data of its own for all tests of a file. */
export function shared<T extends Running>(start: (dataDirectory: string) => Promise<T>): () => T {
  let running: T | undefined;
  let stop = async (): Promise<void> => {};
  beforeAll(async () => {
    const directory = await temporaryDirectory();
    const started = await start(directory.path);
    running = started;
    stop = async () => {
      await started.close();
      await directory.remove();
    };
  });
  afterAll(() => stop());
  return () => {
    if (running === undefined) throw new Error('The service is used outside a test.');
    return running;
  };
}
