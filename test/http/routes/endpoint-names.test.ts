import * as fc from 'fast-check';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { httpHandler } from '../../../lambdas/shared/http-handler.ts';
import type { HttpEnv } from '../../../src/http/middleware/http-env.ts';
import { newEndpoint } from '../../../src/http/routes/management/endpoint-fields.ts';
import { httpApiEvent } from '../../lambdas/http-api-event.ts';

const app = new Hono<HttpEnv>({ strict: false });
app.get('/api/endpoints/query/:name', (c) => c.json({ name: c.req.param('name') }));
const gateway = httpHandler(app);

/** Any name that an endpoint may have. */
const names = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('%', '.', '2', 'F', '/', '\\', '?', '#', '+', ' ', ';', 'a'),
    }),
    fc.constantFrom('name', 'query', '...', '100%', '%zz', 'a b', 'é', '日本', '😀'),
  )
  .filter((name) => newEndpoint.shape.name.safeParse(name).success);

test('every name that an endpoint may have travels in a URL', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const answer = await app.request(`/api/endpoints/query/${encodeURIComponent(name)}`);

      expect(await answer.json()).toEqual({ name });
    }),
    { numRuns: 500 },
  );
});

test('and through API Gateway, which decodes it on the way', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const { body } = await gateway(httpApiEvent({ path: `/api/endpoints/query/${name}` }));

      expect(JSON.parse(body)).toEqual({ name });
    }),
    { numRuns: 500 },
  );
});
