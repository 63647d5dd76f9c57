import type { Hono } from 'hono';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { createHttpApp } from '../app.ts';
import type { HttpEnv } from '../middleware/http-env.ts';
import { addHealthRoute } from '../routes/health.ts';
import { addQueryRoutes } from '../routes/query/query-routes.ts';

export type QueryAppDeps = Parameters<typeof addQueryRoutes>[1] & {
  readonly logger: Logger;
  readonly clock: Clock;
};

/** The routes that run saved queries, alone. */
export function createQueryApp(deps: QueryAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  addHealthRoute(app);
  addQueryRoutes(app, deps);
  return app;
}
