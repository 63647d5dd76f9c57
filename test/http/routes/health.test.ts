import { expect, test } from 'vitest';
import { createHttpApp } from '../../../src/http/app.ts';
import { addHealthRoute, type Health } from '../../../src/http/routes/health.ts';
import { fixedClock, recordingLogger } from '../support.ts';

function appThatIs(health: Health) {
  const { logger } = recordingLogger();
  const app = createHttpApp({ logger, clock: fixedClock });
  addHealthRoute(app, () => health);
  return app;
}

test.each(['GET', 'HEAD'])('%s /health is 200 when requests are served', async (method) => {
  const answer = await appThatIs('ok').request('/health', { method });

  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe(method === 'GET' ? '{"status":"ok"}' : '');
});

test.each(['starting', 'stopping'] as const)('/health is 503 while %s', async (health) => {
  const answer = await appThatIs(health).request('/health');

  expect(answer.status).toBe(503);
  expect(answer.headers.get('Retry-After')).toBe('1');
  expect(await answer.json()).toEqual({ status: health });
});
