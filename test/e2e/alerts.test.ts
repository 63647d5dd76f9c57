import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onChain, shared } from './support/server.ts';
import { startAt } from './support/stopped-clock.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on this machine, which answers as it is told. */
class Receiver {
  readonly received: Received[] = [];
  answers: number[] = [];
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      this.received.push({ headers: request.headers, body });
      response.writeHead(this.answers.shift() ?? 200).end('thank you');
    });
  });
  url = '';

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  close(): Promise<void> {
    return new Promise((done) => this.#server.close(() => done()));
  }

  get bodies() {
    return this.received.map(({ body }) => JSON.parse(body));
  }
}

describe('an alert', () => {
  const service = shared((dataDirectory) => startAt('2026-02-03T14:25:00.000Z', dataDirectory));
  const receiver = new Receiver();
  beforeAll(() => receiver.start());
  afterAll(() => receiver.close());
  afterEach(() => {
    receiver.received.length = 0;
    receiver.answers = [];
  });

  const create = async (fields: object) => {
    const answer = await service().sluice.post('/api/alerts', fields);
    expect(answer, answer.text).toMatchObject({ status: 201 });
    return answer.body as { token: string; targets: { id: string; secret: string }[] };
  };
  const show = async (token: string) => (await service().sluice.call(`/api/alerts/${token}`)).body;
  const minuteLater = async () => {
    service().clock.advance(60);
    await service().checkAlerts();
  };
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

  // The deployed functions reach no address of this machine, whatever they are told.
  describe.skipIf(onChain)('with a webhook', () => {
    test('rings it, signed, with the rows; and again when it is over', async () => {
      const { sluice } = service();
      await sluice.createSource('shop.app');
      await sluice.createEndpoint({
        name: 'shop.errors',
        query: 'select event_message from `shop.app` where event_message = @message',
        parameters: [{ name: 'message', type: 'string', required: true }],
      });
      const { token, targets } = await create({
        name: 'the shop is down',
        description: 'Call the shopkeeper.',
        labels: 'team=shop',
        endpoint: 'shop.errors',
        parameters: { message: 'down' },
        every_minutes: 1,
        webhook_notification_url: receiver.url,
      });
      await sluice.send('shop.app', { message: 'down' });

      await minuteLater();

      const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
      expect(JSON.parse(body)).toMatchObject({
        type: 'alert.firing',
        data: {
          status: 'firing',
          rows: 1,
          alert: {
            token,
            name: 'the shop is down',
            description: 'Call the shopkeeper.',
            labels: 'team=shop',
          },
        },
        result: [{ event_message: 'down' }],
      });
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const key = Buffer.from(targets[0]?.secret.replace('whsec_', '') ?? '', 'base64');
      expect(headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      );

      await minuteLater();
      expect(receiver.received).toHaveLength(1);
      await sluice.call(`/api/alerts/${token}`, {
        method: 'PATCH',
        body: { parameters: { message: 'up' } },
      });
      await minuteLater();
      expect(receiver.bodies.map(({ type }) => type)).toEqual(['alert.firing', 'alert.resolved']);
      await sluice.call(`/api/alerts/${token}`, { method: 'DELETE' });
    });

    test('rings it again where it fails, under the same id', async () => {
      const { sluice } = service();
      receiver.answers = [500, 503, 200];
      const { token } = await create({
        name: 'always',
        query: 'select 1 as one',
        every_minutes: 1,
        webhook_notification_url: receiver.url,
      });

      await minuteLater();

      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(ids).toHaveLength(3);
      expect(new Set(ids).size).toBe(1);
      expect(await show(token)).toMatchObject({
        state: { status: 'firing', notified: 'firing', undelivered: 0 },
      });
      await sluice.call(`/api/alerts/${token}`, { method: 'DELETE' });
    });

    test('leaves to the next pass what its receiver does not take', async () => {
      const { sluice } = service();
      receiver.answers = [500, 500, 500];
      const { token } = await create({
        name: 'late',
        query: 'select 1 as one',
        every_minutes: 60,
        webhook_notification_url: receiver.url,
      });

      await minuteLater();
      expect(await show(token)).toMatchObject({ state: { undelivered: 1 } });
      await minuteLater();

      expect(await show(token)).toMatchObject({ state: { undelivered: 0 } });
      expect(receiver.received).toHaveLength(4);
      await sluice.call(`/api/alerts/${token}`, { method: 'DELETE' });
    });

    test('follows no redirect', async () => {
      const { sluice } = service();
      receiver.answers = [307];
      const { token } = await create({
        name: 'moved',
        query: 'select 1 as one',
        every_minutes: 1,
        webhook_notification_url: receiver.url,
      });

      const { body } = await sluice.post(`/api/alerts/${token}/test`, {});

      expect(body).toMatchObject({
        result: [
          { type: 'webhook', delivered: false, http_status: 307, error: 'redirect_refused' },
        ],
      });
      expect(receiver.received).toHaveLength(1);
      await sluice.call(`/api/alerts/${token}`, { method: 'DELETE' });
    });
  });
});
