import { gzipSync } from 'node:zlib';

export const REQUEST_ID = 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f';
export const STREAM_ARN = 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/app';
/** 2025-06-01T11:59:00Z, a minute before the tests' now; milliseconds. */
export const AT_MS = Date.UTC(2025, 5, 1, 11, 59);

/** What Firehose sends beside the body, by name in lower case. */
export const FIREHOSE_HEADERS = {
  'x-amz-firehose-protocol-version': '1.0',
  'x-amz-firehose-request-id': REQUEST_ID,
  'x-amz-firehose-source-arn': STREAM_ARN,
  'x-amz-firehose-common-attributes': '{"commonAttributes":{"stage":"prod","empty":""}}',
};

/** The body of a delivery; records are bytes, or text. */
export function delivery(...records: readonly (string | Uint8Array)[]) {
  return {
    requestId: REQUEST_ID,
    timestamp: AT_MS,
    records: records.map((data) => ({ data: Buffer.from(data).toString('base64') })),
  };
}

/** A message of a subscription filter, of log events with these messages. */
export function subscription(...messages: readonly string[]) {
  return {
    messageType: 'DATA_MESSAGE',
    owner: '123456789012',
    logGroup: '/aws/lambda/checkout',
    logStream: '2025/06/01/[$LATEST]0a1b',
    subscriptionFilters: ['to-sluice'],
    logEvents: messages.map((message, index) => ({
      id: `3195310660696698337880902507980421114328961542429822156${index}`,
      timestamp: AT_MS + index,
      message,
    })),
  };
}

/** What {@link subscription} gives every event. */
export const ORIGIN = {
  owner: '123456789012',
  log_group: '/aws/lambda/checkout',
  log_stream: '2025/06/01/[$LATEST]0a1b',
  subscription_filters: ['to-sluice'],
};

export const CONTROL_MESSAGE = {
  messageType: 'CONTROL_MESSAGE',
  owner: 'CloudwatchLogs',
  logGroup: '',
  logStream: '',
  subscriptionFilters: [],
  logEvents: [{ id: '', timestamp: AT_MS, message: 'CWL CONTROL MESSAGE: Checking health.' }],
};

export function gzipJson(value: unknown): Buffer {
  return gzipSync(JSON.stringify(value));
}

/** What CloudWatch Logs invokes a Lambda function with. */
export function awslogs(value: unknown) {
  return { awslogs: { data: gzipJson(value).toString('base64') } };
}
