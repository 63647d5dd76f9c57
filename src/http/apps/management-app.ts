import type { Hono } from 'hono';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { createHttpApp } from '../app.ts';
import type { HttpEnv } from '../middleware/http-env.ts';
import { addHealthRoute } from '../routes/health.ts';
import { addManagementRoutes } from '../routes/management/management-routes.ts';

export type ManagementAppDeps = Parameters<typeof addManagementRoutes>[1] & {
  readonly logger: Logger;
  readonly clock: Clock;
};

/** The routes that manage sources, endpoints and access keys, alone. */
export function createManagementApp(deps: ManagementAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  addHealthRoute(app);
  addManagementRoutes(app, deps);
  return app;
}
