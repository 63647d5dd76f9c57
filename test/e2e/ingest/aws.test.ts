import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Key, Source } from '../support/client.ts';
import { shared, startService } from '../support/server.ts';

const service = shared(startService);

const REQUEST_ID = 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f';

let source: Source;
let key: Key;
beforeAll(async () => {
  const { sluice } = service();
  source = await sluice.createSource('aws');
  key = await sluice.createKey(`ingest:source:${source.token}`);
  await sluice.createEndpoint({
    name: 'aws.lambda',
    query: `select t.id, t.metadata.log_group, t.metadata.lambda.report.duration_ms, t.metadata.json.cents,
              t.firehose.common_attributes.stage
            from aws as t where t.metadata.log_group is not null order by t.id`,
  });
  await sluice.createEndpoint({
    name: 'aws.plain',
    query: `select t.id, t.event_message, t.metadata.action, t.ingest_problem
            from aws as t where t.metadata.log_group is null order by t.id`,
  });
});

/** What a subscription filter delivers of one function. */
function subscription(...messages: readonly string[]) {
  return {
    messageType: 'DATA_MESSAGE',
    owner: '123456789012',
    logGroup: '/aws/lambda/checkout',
    logStream: 's',
    subscriptionFilters: ['f'],
    logEvents: messages.map((message, index) => ({
      id: `${messages.length}${index}`,
      timestamp: 1704067200000,
      message,
    })),
  };
}

const gzip = (value: unknown) => gzipSync(JSON.stringify(value));

test('what Firehose delivers can be queried', async () => {
  const { sluice } = service();
  const records = [
    gzip(subscription('REPORT RequestId: r\tDuration: 1.5 ms\t', '{"cents":950}')),
    Buffer.from('{"action":"ALLOW"}{"action":"BLOCK"}'),
    Buffer.from('2 123456789012 eni-1 ACCEPT OK\n'),
    gzip({ a: 1 }).subarray(0, -4),
  ].map((data) => ({ data: data.toString('base64') }));

  const answer = await sluice
    .as(undefined)
    .post(
      `/logs/firehose?source=${source.token}`,
      gzip({ requestId: REQUEST_ID, timestamp: 1704067200000, records }),
      {
        'Content-Encoding': 'gzip',
        'X-Amz-Firehose-Request-Id': REQUEST_ID,
        'X-Amz-Firehose-Access-Key': key.token,
        'X-Amz-Firehose-Common-Attributes': '{"commonAttributes":{"stage":"prod"}}',
      },
    );

  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('application/json');
  expect(answer.headers.get('Content-Length')).toBe(String(answer.text.length));
  expect(answer.body).toEqual({ requestId: REQUEST_ID, timestamp: expect.any(Number) });
  const group = { log_group: '/aws/lambda/checkout', stage: 'prod' };
  expect(await sluice.rows('aws.lambda')).toEqual([
    { ...group, id: '20', duration_ms: 1.5, cents: null },
    { ...group, id: '21', duration_ms: null, cents: 950 },
  ]);
  const plain = { action: null, ingest_problem: null };
  expect(await sluice.rows('aws.plain')).toEqual([
    { ...plain, id: `${REQUEST_ID}-2`, event_message: '{"action":"ALLOW"}', action: 'ALLOW' },
    { ...plain, id: `${REQUEST_ID}-3`, event_message: '{"action":"BLOCK"}', action: 'BLOCK' },
    { ...plain, id: `${REQUEST_ID}-4`, event_message: '2 123456789012 eni-1 ACCEPT OK' },
    {
      ...plain,
      id: `${REQUEST_ID}-5`,
      event_message: records[3]?.data,
      ingest_problem: 'not valid gzip data, or cut short; the message is base64',
    },
  ]);
});

test('what a Lambda function of a subscription forwards can be queried', async () => {
  const { sluice } = service();
  const forwarded = { awslogs: { data: gzip(subscription('a', 'b', 'c')).toString('base64') } };

  const answer = await sluice.post(`/logs/cloudwatch-logs?source=${source.token}`, forwarded);

  expect(answer).toMatchObject({ status: 200, body: { message: 'Logged!' } });
  const rows = await sluice.rows('aws.lambda');
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(['30', '31', '32']));
});
