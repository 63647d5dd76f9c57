import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newSecret, signatureHeaders } from '../../src/alerts/notify/signature.ts';
import { slackBody } from '../../src/alerts/notify/slack.ts';
import { noSns, type SnsMessage, snsChannel } from '../../src/alerts/notify/sns.ts';
import { webhookBody } from '../../src/alerts/notify/texts.ts';
import { aNotification } from './support.ts';

describe('the signature', () => {
  test('is that of Standard Webhooks, by its own example', () => {
    // https://github.com/standard-webhooks/standard-webhooks, test vector of the libraries.
    const headers = signatureHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      seconds: 1_614_265_330,
      body: '{"test": 2432232314}',
    });

    expect(headers).toEqual({
      'Webhook-Id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'Webhook-Timestamp': '1614265330',
      'Webhook-Signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('has a key of 32 bytes, another one for each webhook', () => {
    const secret = newSecret();

    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(newSecret()).not.toBe(secret);
  });

  test('holds for the body as it is sent', () => {
    const secret = newSecret();
    const body = webhookBody(aNotification());
    const given = signatureHeaders(secret, { id: 'a', seconds: 5, body })['Webhook-Signature'];
    const key = Buffer.from(secret.slice(6), 'base64');

    expect(given).toBe(`v1,${createHmac('sha256', key).update(`a.5.${body}`).digest('base64')}`);
  });
});

describe('a message to Slack', () => {
  test('says what, since when and with which rows', () => {
    const body = JSON.parse(slackBody(aNotification()));

    expect(body.text).toBe('FIRING: too many');
    expect(body.blocks.map(({ text }: { text: { text: string } }) => text.text)).toEqual([
      '*FIRING: too many*\nFound: value 7, 1 row.\nSince 2026-01-02T00:00:00.000Z.',
      '```{"n":7}```',
    ]);
  });

  test('mentions nobody, whatever events hold', () => {
    const alert = { token: '2', name: '<!channel> & <@U1>', description: null, labels: null };
    const body = slackBody(aNotification({ alert, sample: [{ message: '```<!here>' }] }));

    expect(body).not.toMatch(/<[!@]/);
    expect(body).toContain('&lt;!here&gt;');
  });

  test('stays within what Slack takes', () => {
    const description = 'x'.repeat(5_000);
    const alert = { token: '2', name: 'long', description, labels: null };
    const sample = Array.from({ length: 10 }, () => ({ message: '<'.repeat(800) }));
    const { blocks } = JSON.parse(slackBody(aNotification({ alert, sample })));

    for (const { text } of blocks) expect(text.text.length).toBeLessThanOrEqual(3_000);
  });
});

describe('a message to SNS', () => {
  const signal = new AbortController().signal;
  const target = { id: 'mail', type: 'sns' } as const;

  test('has a subject that mails can have', async () => {
    const sent: SnsMessage[] = [];
    const channel = snsChannel(async () => async (message) => void sent.push(message));
    const alert = {
      token: '2',
      name: `Größe\n${'x'.repeat(200)}`,
      description: null,
      labels: null,
    };

    expect(await channel.send(target, aNotification({ alert }), signal)).toEqual({
      ok: true,
      status: null,
    });

    expect(sent[0]?.subject).toMatch(/^[\x20-\x7e]{1,99}$/);
    expect(sent[0]?.attributes).toMatchObject({ status: 'firing' });
  });

  test.each([
    ['ThrottlingException', true],
    ['AuthorizationErrorException', false],
  ])('that ends with %s is to be tried again: %s', async (name, isTemporary) => {
    const channel = snsChannel(async () => async () => {
      throw Object.assign(new Error('no'), { name, $metadata: { httpStatusCode: 400 } });
    });

    expect(await channel.send(target, aNotification(), signal)).toEqual({
      ok: false,
      status: null,
      code: name,
      isTemporary,
    });
  });

  test('cannot be sent from a laptop', async () => {
    expect(noSns.missing).toContain('not available on the local server');
    expect(await noSns.send(target, aNotification(), signal)).toMatchObject({
      ok: false,
      isTemporary: false,
    });
  });
});
