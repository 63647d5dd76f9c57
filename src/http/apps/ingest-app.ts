import type { Hono } from 'hono';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { createHttpApp } from '../app.ts';
import type { HttpEnv } from '../middleware/http-env.ts';
import { addHealthRoute } from '../routes/health.ts';
import { addIngestRoutes, type IngestDeps } from '../routes/ingest/ingest-routes.ts';

export type IngestAppDeps = IngestDeps & { readonly logger: Logger; readonly clock: Clock };

/** The ingest routes alone, in their own module so that a bundle of it holds no SQL compiler. */
export function createIngestApp(deps: IngestAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  addHealthRoute(app);
  addIngestRoutes(app, deps);
  return app;
}
