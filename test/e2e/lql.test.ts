import { expect, test } from 'vitest';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

test('LQL reads the tables of a sandboxed endpoint', async () => {
  const { sluice } = service();
  await sluice.send('cloudflare.logs.prod', [
    { project: 'lql', message: 'GET /a', metadata: { response: { status_code: 200 } } },
    { project: 'lql', message: 'GET /b', metadata: { response: { status_code: 503 } } },
  ]);

  const rows = await sluice.rows('logs.all', {
    project: 'lql',
    lql: 'f:edge_logs s:event_message s:m.response.status_code@status m.response.status_code:>=500',
  });

  expect(rows).toEqual([{ event_message: 'GET /b', status: 503 }]);
});

test('LQL that does not say which table is refused with their names', async () => {
  const { sluice } = service();

  const answer = await sluice.query('logs.all', { project: 'lql', lql: 's:event_message' });

  expect(answer.status).toBe(400);
  expect(answer.text).toContain('Multiple CTEs available (edge_logs, postgres_logs');
});
