import type { Hono, MiddlewareHandler } from 'hono';
import type { Authenticator } from '../../../access/authenticator.ts';
import { mayManage } from '../../../access/scopes.ts';
import type { Registry } from '../../../catalog/types.ts';
import type { RejectionLog } from '../../../ingest/rejections/rejection-log.ts';
import type { Clock } from '../../../platform/clock.ts';
import { unauthorized } from '../../../platform/errors.ts';
import { type QueryCheck, SavedEndpoints } from '../../../query/saved-endpoints.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';
import { AccessTokens } from './access-tokens.ts';
import { Endpoints } from './endpoints.ts';
import { addResource } from './resource.ts';
import { addRuleRoutes } from './rule-routes.ts';
import { Rules } from './rules.ts';
import { Sources } from './sources.ts';

export interface ManagementDeps {
  readonly registry: Registry;
  readonly authenticator: Pick<Authenticator, 'principal' | 'forget'>;
  readonly clock: Clock;
  readonly checkQuery: QueryCheck;
  readonly rejections: Pick<RejectionLog, 'latest'>;
}

/** `/api/sources`, `/api/rules`, `/api/endpoints` and `/api/access-tokens`, for keys with the scope `private`. */
export function addManagementRoutes(app: Hono<HttpEnv>, deps: ManagementDeps): void {
  // Given to each route by itself: a wildcard would also guard `/api/endpoints/query/...`.
  const guard: MiddlewareHandler<HttpEnv> = async (c, next) => {
    if (!mayManage(await deps.authenticator.principal(c.req))) throw unauthorized();
    await next();
  };
  const sources = new Sources(deps);
  app.get('/api/sources/:id/schema', guard, async (c) => {
    return c.json(await sources.schema(c.req.param('id'), c.req.query('variant')));
  });
  app.get('/api/sources/:id/rejected', guard, async (c) => {
    return c.json(await sources.rejected(c.req.param('id')));
  });
  addResource(app, '/api/sources', guard, sources);
  addRuleRoutes(app, guard, new Rules(deps));
  addResource(app, '/api/endpoints', guard, new Endpoints(new SavedEndpoints(deps)));
  addResource(app, '/api/access-tokens', guard, new AccessTokens(deps));
}
