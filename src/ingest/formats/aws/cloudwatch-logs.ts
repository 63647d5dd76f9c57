import { ServiceError } from '../../../platform/errors.ts';
import { isPlainObject } from '../../../platform/json/json.ts';
import { bytesOfBase64 } from '../../decode/base64.ts';
import { EmbeddedGzip } from '../../decode/embedded-gzip.ts';
import type { BodyParser, DecodedEvents, IngestFormat } from '../../decode/format.ts';
import { type JsonDocument, jsonDocuments } from '../../decode/json-documents.ts';
import { EventBatch } from '../../event/event-batch.ts';
import type { ValueBudget } from '../../event/max-values.ts';
import { addLogEvents, logSubscription } from './log-subscription.ts';

/** A forwarder labels a delivery as JSON, as gzip, as nothing; its bytes tell what it is. */
const bytesParser: BodyParser = { mediaType: /^/, parse: (bytes) => bytes };

/**
 * Deliveries of CloudWatch Logs' subscription filters: the event that a Lambda function gets
 * (`{"awslogs": {"data": "<base64 of gzip>"}}`), the gzip data, or the JSON in it. Each log event is
 * an event; none is refused, because CloudWatch Logs would only send it again.
 */
export const cloudWatchLogsFormat: IngestFormat = {
  path: '/cloudwatch-logs',
  bodyParsers: [bytesParser],

  decode({ body, maxInflatedBytes }): DecodedEvents {
    const gzip = new EmbeddedGzip(maxInflatedBytes);
    const batch = new EventBatch();
    for (const document of documents(body as Uint8Array, gzip, batch.budget)) {
      const subscription = 'value' in document ? logSubscription(document.value) : undefined;
      if (subscription === undefined) {
        throw new ServiceError(
          'batch_missing',
          400,
          'The body is no delivery of a CloudWatch Logs subscription: it has neither "awslogs" nor ' +
            'a "messageType" with its "logEvents".',
        );
      }
      addLogEvents(subscription, batch);
    }
    return { events: batch.events };
  },
};

/** The JSON documents of a body, those inside of `awslogs` instead of it. */
function* documents(
  body: Uint8Array,
  gzip: EmbeddedGzip,
  budget: ValueBudget,
): Generator<JsonDocument, void, undefined> {
  for (const document of contentOf(body, gzip, budget)) {
    const data = 'value' in document ? dataOf(document.value) : undefined;
    if (data === undefined) {
      yield document;
    } else {
      yield* contentOf(bytesOfBase64(data), gzip, budget);
    }
  }
}

/** At least one document, of no bytes an empty text; one by one, because there may be millions. */
function* contentOf(
  bytes: Uint8Array | undefined,
  gzip: EmbeddedGzip,
  budget: ValueBudget,
): Generator<JsonDocument, void, undefined> {
  let isEmpty = true;
  for (const document of jsonDocuments(inflated(bytes, gzip), budget)) {
    isEmpty = false;
    yield document;
  }
  if (isEmpty) yield { text: '' };
}

function dataOf({ awslogs }: Readonly<Record<string, unknown>>): string | undefined {
  const data = isPlainObject(awslogs) ? awslogs.data : undefined;
  return typeof data === 'string' ? data : undefined;
}

function inflated(bytes: Uint8Array | undefined, gzip: EmbeddedGzip): Uint8Array {
  const plain = bytes !== undefined && EmbeddedGzip.isGzip(bytes) ? gzip.inflate(bytes) : bytes;
  if (plain === undefined) {
    throw new ServiceError(
      'malformed_compression',
      400,
      'The log data is not valid base64 or gzip data, or was cut short.',
    );
  }
  return plain;
}
