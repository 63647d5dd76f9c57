import type { Hono } from 'hono';
import type { Clock, Logger } from '../../ports.ts';
import { createHttpApp, type HttpEnv } from '../app.ts';
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
