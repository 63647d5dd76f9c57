import type { Hono } from 'hono';
import type { HttpEnv } from './core.ts';

export type Health = 'ok' | 'starting' | 'stopping';

/**
 * `GET` and `HEAD /health`, without credentials: 200 while requests are served, else 503, so that a
 * load balancer sends its requests elsewhere.
 *
 * @param health asked on every call; a Lambda serves from the moment it runs, hence the default.
 */
export function addHealthRoute(app: Hono<HttpEnv>, health: () => Health = () => 'ok'): void {
  app.get('/health', (c) => {
    const status = health();
    return c.json({ status }, status === 'ok' ? 200 : 503);
  });
}
