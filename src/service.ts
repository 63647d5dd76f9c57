import type { Hono } from 'hono';
import type { IngestAppDeps } from './http/apps/ingest.ts';
import type { ManagementAppDeps } from './http/apps/management.ts';
import type { QueryAppDeps } from './http/apps/query.ts';
import { createHttpApp, type HttpEnv } from './http/core.ts';
import { addHealthRoute, type Health } from './http/health.ts';
import { addIngestRoutes } from './http/ingest-app.ts';
import { addManagementRoutes } from './http/management/app.ts';
import { addQueryRoutes } from './http/query-app.ts';

/** What every part of the interface needs, built once by whoever starts the service. */
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
  return { app };
}
