import type { Hono } from 'hono';
import type { HttpEnv } from '../middleware/http-env.ts';

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
    if (status === 'ok') return c.json({ status });
    // A start takes about a second; who waits for the end of a process waits for the next one.
    return c.json({ status }, 503, { 'Retry-After': '1' });
  });
}
