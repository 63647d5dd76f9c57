import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_RATES } from '../../src/ingest/limits/token-bucket.ts';
import { type LocalServer, startServer } from '../../src/local/server.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { DEFAULT_LOCAL_LIMITS } from '../../src/query/execution/duckdb/local-limits.ts';

export const ADMIN_KEY = 'test-admin-key';

export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A server on a free port that keeps quiet, and a client for it that holds the admin key. */
export async function startTestServer(
  dataDirectory: string,
  { adminKey }: { adminKey?: string } = { adminKey: ADMIN_KEY },
) {
  const server: LocalServer = await startServer(
    {
      port: 0,
      host: '127.0.0.1',
      dataDirectory,
      adminKey,
      logLevel: 'error',
      rateLimits: DEFAULT_RATES,
      limits: DEFAULT_LOCAL_LIMITS,
    },
    { logger: createLogger({ clock: systemClock, write: () => {} }) },
  );
  const call = (path: string, init: RequestInit & { duplex?: 'half' } = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { 'X-API-KEY': adminKey ?? '', ...init.headers },
    });
  return { ...server, call };
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;
