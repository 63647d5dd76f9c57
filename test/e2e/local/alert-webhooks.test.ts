import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { alertsOf } from '../support/alerts.ts';
import { shared } from '../support/server.ts';
import { startAt } from '../support/stopped-clock.ts';

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

/** Deployed functions reach no address of this machine, whatever they are told. */
describe('the webhook of an alert', () => {
  const service = shared((dataDirectory) => startAt('2026-02-03T14:25:00.000Z', dataDirectory));
  const { create, show, minuteLater } = alertsOf(service);
  const receiver = new Receiver();
  beforeAll(() => receiver.start());
  afterAll(() => receiver.close());
  afterEach(() => {
    receiver.received.length = 0;
    receiver.answers = [];
  });

  test('rings, signed, with the rows; and again when it is over', async () => {
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

  test('rings again where it fails, under the same id', async () => {
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
      result: [{ type: 'webhook', delivered: false, http_status: 307, error: 'redirect_refused' }],
    });
    expect(receiver.received).toHaveLength(1);
    await sluice.call(`/api/alerts/${token}`, { method: 'DELETE' });
  });
});
