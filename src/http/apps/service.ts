import type { Hono } from 'hono';
import { createHttpApp } from '../app.ts';
import type { HttpEnv } from '../middleware/http-env.ts';
import { addAlertRoutes } from '../routes/alerts/alert-routes.ts';
import { addHealthRoute, type Health } from '../routes/health.ts';
import { addIngestRoutes } from '../routes/ingest/ingest-routes.ts';
import { addManagementRoutes } from '../routes/management/management-routes.ts';
import { addQueryRoutes } from '../routes/query/query-routes.ts';
import type { IngestAppDeps } from './ingest-app.ts';
import type { ManagementAppDeps } from './management-app.ts';
import type { QueryAppDeps } from './query-app.ts';

/** What every part of the interface needs, built once when the service starts. */
export type ServiceParts = IngestAppDeps &
  QueryAppDeps &
  ManagementAppDeps & { readonly health?: () => Health };

/** The whole HTTP interface as one app; on AWS its parts run apart (`src/http/apps`). */
export function createService(parts: ServiceParts): { app: Hono<HttpEnv> } {
  const app = createHttpApp(parts);
  addHealthRoute(app, parts.health);
  addIngestRoutes(app, parts);
  addQueryRoutes(app, parts);
  addManagementRoutes(app, parts);
  addAlertRoutes(app, parts);
  return { app };
}
