import type { Hono, MiddlewareHandler } from 'hono';
import type { Authenticator } from '../../../access/authenticator.ts';
import { mayManage } from '../../../access/scopes.ts';
import type { Reach } from '../../../alerts/notify/target-url.ts';
import type { SavedAlerts } from '../../../alerts/saved-alerts.ts';
import type { Clock } from '../../../platform/clock.ts';
import { unauthorized } from '../../../platform/errors.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';
import { readJsonObject } from '../management/request-body.ts';
import { addResource } from '../management/resource.ts';
import { Alerts } from './alerts.ts';

export interface AlertRoutesDeps {
  readonly authenticator: Pick<Authenticator, 'principal'>;
  readonly clock: Clock;
  readonly alerts: {
    readonly saved: SavedAlerts;
    /** What targets may be. */
    readonly reach: Reach;
  };
}

/** `/api/alerts`, for keys with the scope `private`. */
export function addAlertRoutes(app: Hono<HttpEnv>, deps: AlertRoutesDeps): void {
  const guard: MiddlewareHandler<HttpEnv> = async (c, next) => {
    if (!mayManage(await deps.authenticator.principal(c.req))) throw unauthorized();
    await next();
  };
  const { clock, alerts } = deps;
  const resource = new Alerts(alerts.saved, { clock, reach: alerts.reach });
  app.post('/api/alerts/:id/test', guard, async (c) => {
    return c.json(await resource.test(c.req.param('id')));
  });
  app.post('/api/alerts/:id/mute', guard, async (c) => {
    return c.json(await resource.mute(c.req.param('id'), await readJsonObject(c)));
  });
  addResource(app, '/api/alerts', guard, resource);
}
