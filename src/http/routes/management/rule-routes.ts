import type { Hono, MiddlewareHandler } from 'hono';
import { notFound } from '../../../platform/errors.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';
import { readJsonObjectOrList } from './request-body.ts';
import { addResource } from './resource.ts';
import { createRules } from './rule-batch.ts';
import type { Rules } from './rules.ts';

/** `/api/rules`, where a list creates several and the list of a backend's rules may be asked for. */
export function addRuleRoutes(
  app: Hono<HttpEnv>,
  guard: MiddlewareHandler<HttpEnv>,
  rules: Rules,
): void {
  app.get('/api/rules', guard, async (c, next) => {
    const { backend_id, backend_token } = c.req.query();
    // No backend exists, whichever it is (Logflare 1.50).
    if (backend_id !== undefined || backend_token !== undefined) throw notFound();
    await next();
  });
  app.post('/api/rules', guard, async (c) => {
    const body = await readJsonObjectOrList(c);
    if (!isList(body)) return c.json(await rules.create(body), 201);
    const outcome = await createRules(rules, body);
    return c.json(outcome, outcome.errors.length === 0 ? 201 : 400);
  });
  addResource(app, '/api/rules', guard, rules);
}

function isList(body: unknown): body is readonly unknown[] {
  return Array.isArray(body);
}
