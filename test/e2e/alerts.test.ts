import { describe, expect, test } from 'vitest';
import { alertsOf } from './support/alerts.ts';
import { shared } from './support/server.ts';
import { startAt } from './support/stopped-clock.ts';

describe('an alert', () => {
  const service = shared((dataDirectory) => startAt('2026-02-03T14:25:00.000Z', dataDirectory));
  const { create, show, minuteLater } = alertsOf(service);
  const error = (message: string) => ({ message, metadata: { level: 'error' } });

  test('says by its state and its history what happened', async () => {
    const { sluice } = service();
    await sluice.createSource('orders.app');
    await sluice.send('orders.app', { message: 'all is well', metadata: { level: 'info' } });
    const { token } = await create({
      name: 'orders fail',
      query:
        'select count(*) as failed from `orders.app` as t cross join unnest(t.metadata) as m where m.level = @level and t.timestamp > timestamp_sub(current_timestamp(), interval 5 minute)',
      parameters: { level: 'error' },
      condition: { type: 'column', column: 'failed', operator: '>=', threshold: 2 },
      every_minutes: 1,
    });

    await minuteLater();
    expect(await show(token)).toMatchObject({ state: { status: 'ok', value: 0, rows: 1 } });
    await sluice.send('orders.app', [error('no stock'), error('no card')]);
    await minuteLater();
    expect(await show(token)).toMatchObject({ state: { status: 'firing', value: 2 } });
    service().clock.advance(600);
    await minuteLater();
    expect(await show(token)).toMatchObject({ state: { status: 'resolved', value: 0 } });

    await sluice.createEndpoint({
      name: 'history',
      query:
        'select m.alert, m.previous_status, m.status, m.value from `sluice.alerts` as t cross join unnest(t.metadata) as m order by t.timestamp',
    });
    expect(await sluice.rows('history')).toEqual([
      { alert: 'orders fail', previous_status: 'ok', status: 'firing', value: 2 },
      { alert: 'orders fail', previous_status: 'firing', status: 'resolved', value: 0 },
    ]);
    await sluice.call(`/api/alerts/${token}`, { method: 'DELETE' });
  });

  test('in LQL looks at the latest events of its source', async () => {
    const { sluice } = service();
    await sluice.createSource('lql.app');
    await sluice.send('lql.app', error('boom'));
    const { token } = await create({
      name: 'any error',
      language: 'lql',
      query: 'm.level:error',
      source: 'lql.app',
      window_minutes: 5,
      every_minutes: 1,
    });

    await minuteLater();
    expect(await show(token)).toMatchObject({ state: { status: 'firing', rows: 1 } });
    service().clock.advance(600);
    await minuteLater();
    expect(await show(token)).toMatchObject({ state: { status: 'resolved', rows: 0 } });
    await sluice.call(`/api/alerts/${token}`, { method: 'DELETE' });
  });
});
