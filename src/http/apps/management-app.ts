import type { Hono } from 'hono';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { createHttpApp } from '../app.ts';
import type { HttpEnv } from '../middleware/http-env.ts';
import { type AlertRoutesDeps, addAlertRoutes } from '../routes/alerts/alert-routes.ts';
import { addHealthRoute } from '../routes/health.ts';
import { addManagementRoutes } from '../routes/management/management-routes.ts';

export type ManagementAppDeps = Parameters<typeof addManagementRoutes>[1] &
  AlertRoutesDeps & {
    readonly logger: Logger;
    readonly clock: Clock;
  };

/** The routes that manage sources, endpoints, alerts and access keys, alone. */
export function createManagementApp(deps: ManagementAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  addHealthRoute(app);
  addManagementRoutes(app, deps);
  addAlertRoutes(app, deps);
  return app;
}
