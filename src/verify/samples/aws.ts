import { gzipSync } from 'node:zlib';
import type { Mark, Sample } from './sample.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

export function firehose(mark: Mark, ms: number): Sample {
  const id = mark('firehose');
  const records = [
    gzipSync(JSON.stringify({ action: 'ALLOW', ray: `${id}-gzip` })),
    Buffer.from(`{"action":"BLOCK","ray":"${id}-json"}\n`),
    Buffer.from(`2 ${id}-text ACCEPT OK\n`),
  ];
  const own = (index: number) => ({
    id: `${id}-${index}`,
    firehose: { common_attributes: { team: 'shop' } },
  });
  return {
    format: '/firehose',
    shape: 'records in gzip, JSON and text',
    headers: {
      ...JSON_TYPE,
      'X-Amz-Firehose-Request-Id': id,
      'X-Amz-Firehose-Common-Attributes': '{"commonAttributes":{"team":"shop"}}',
    },
    body: {
      requestId: id,
      timestamp: ms,
      records: records.map((record) => ({ data: record.toString('base64') })),
    },
    events: [
      [`${id}-gzip`, { metadata: { action: 'ALLOW' }, firehose: own(0).firehose }],
      [`${id}-json`, { metadata: { action: 'BLOCK' }, firehose: own(1).firehose }],
      [`${id}-text`, { event_message: `2 ${id}-text ACCEPT OK`, firehose: own(2).firehose }],
    ],
  };
}

export function cloudWatchLogs(mark: Mark, ms: number): Sample {
  const id = mark('cloudwatch');
  const delivery = {
    messageType: 'DATA_MESSAGE',
    owner: '111122223333',
    logGroup: '/aws/lambda/shop',
    logStream: 's',
    subscriptionFilters: ['all'],
    logEvents: [{ id, timestamp: ms, message: '{"level":"INFO","n":1}' }],
  };
  return {
    format: '/cloudwatch-logs',
    shape: 'a delivery in gzip',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: gzipSync(JSON.stringify(delivery)),
    events: [
      [
        id,
        {
          id,
          timestamp: ms * 1_000,
          event_message: '{"level":"INFO","n":1}',
          metadata: { log_group: '/aws/lambda/shop', level: 'info', json: { n: 1 } },
        },
      ],
    ],
  };
}
