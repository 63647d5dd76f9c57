import type { Hono, MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../../middleware/http-env.ts';
import { type JsonObject, readJsonObject } from './request-body.ts';

/** What is managed at one path. Every method answers with what goes out as JSON. */
export interface Resource {
  list(): Promise<readonly object[]>;
  create(body: JsonObject): Promise<object>;
  /** @throws ServiceError `not_found`, like all that take an id. */
  show(id: string): Promise<object>;
  /** Fields that the body leaves out stay as they are. */
  update(id: string, body: JsonObject): Promise<object>;
  remove(id: string): Promise<void>;
}

/** Verbs and statuses as Logflare's clients expect them. */
export function addResource(
  app: Hono<HttpEnv>,
  path: string,
  guard: MiddlewareHandler<HttpEnv>,
  resource: Resource,
): void {
  app.get(path, guard, async (c) => c.json(await resource.list()));
  app.post(path, guard, async (c) => {
    return c.json(await resource.create(await readJsonObject(c)), 201);
  });
  app.get(`${path}/:id`, guard, async (c) => c.json(await resource.show(c.req.param('id'))));
  app.put(`${path}/:id`, guard, async (c) => {
    return c.json(await resource.update(c.req.param('id'), await readJsonObject(c)));
  });
  app.patch(`${path}/:id`, guard, async (c) => {
    await resource.update(c.req.param('id'), await readJsonObject(c));
    return c.body(null, 204);
  });
  app.delete(`${path}/:id`, guard, async (c) => {
    await resource.remove(c.req.param('id'));
    return c.body(null, 204);
  });
}
