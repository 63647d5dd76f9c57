import { systemClock } from '../../../platform/clock.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { Fields, shared } from '../../../platform/json/fields.ts';
import { isPlainObject, parseJsonIfAny, stringifyJson } from '../../../platform/json/json.ts';
import type {
  AnswerStyle,
  DecodedEvents,
  IngestFormat,
  RequestHeaders,
} from '../../decode/format.ts';
import { FirehoseRecords } from './firehose-records.ts';

/** Firehose's are UUIDs. What is no such thing is not repeated in every event. */
const REQUEST_ID = /^[\w-]{1,128}$/;
/** Firehose allows 50 attributes of 256 and 1,024 characters. */
const MAX_ATTRIBUTES = 50;
const MAX_KEY_LENGTH = 256;
/** Characters of an `errorMessage` (Firehose's response specification). */
const MAX_ERROR_LENGTH = 8192;

/**
 * Firehose counts 413 as final and does not even write such a batch to its backup bucket; after any
 * other error it tries again, and then writes it there.
 */
const answers: AnswerStyle = {
  stored: (_outcome, headers) => ({ ...answer(headers), status: 200 }),
  failed: ({ message, code, status }, headers) => ({
    ...answer(headers, `${message} (${code})`),
    ...(status === 413 && { status: 400 }),
  }),
};

/**
 * Amazon Data Firehose's HTTP endpoint delivery, protocol version 1.0. Firehose sends a request again
 * whole or not at all, so nothing in a record is refused: what cannot be read is stored as text.
 */
export const firehoseFormat: IngestFormat = {
  path: '/firehose',
  keyHeader: 'X-Amz-Firehose-Access-Key',
  answers,

  decode({ body, headers, maxInflatedBytes }): DecodedEvents {
    const { records, timestamp } = isPlainObject(body) ? body : {};
    if (!Array.isArray(records)) {
      throw new ServiceError(
        'batch_missing',
        400,
        'The body is no delivery of Amazon Data Firehose: it has no list "records".',
      );
    }
    const { 'x-amz-firehose-request-id': id = '' } = headers();
    const reader = new FirehoseRecords({
      requestId: REQUEST_ID.test(id) ? id : undefined,
      timestamp,
      shared: { firehose: shared(originOf(headers())) },
      maxInflatedBytes,
    });
    for (const record of records) reader.add(record);
    return { events: reader.events };
  },
};

/** @param errorMessage absent on success. */
function answer(headers: RequestHeaders, errorMessage?: string) {
  const body = {
    requestId: headers()['x-amz-firehose-request-id'] ?? '',
    timestamp: systemClock.now(),
    errorMessage: errorMessage?.slice(0, MAX_ERROR_LENGTH),
  };
  return { contentType: 'application/json', body: stringifyJson(body) };
}

/** The stream, and the attributes that its owner gave it. */
function originOf(headers: Readonly<Record<string, string>>): Fields {
  const { 'x-amz-firehose-source-arn': arn, 'x-amz-firehose-common-attributes': text } = headers;
  return { stream_arn: arn, ...(text && { common_attributes: attributesOf(text) }) };
}

/** Attributes by name, all texts. A header that is not of Firehose's form is kept as it is. */
function attributesOf(text: string): Fields {
  const parsed = parseJsonIfAny(text);
  const given = isPlainObject(parsed) ? parsed.commonAttributes : undefined;
  const entries = isPlainObject(given) ? Object.entries(given) : [];
  const isFirehoses =
    isPlainObject(given) &&
    entries.length <= MAX_ATTRIBUTES &&
    entries.every(([key, value]) => key.length <= MAX_KEY_LENGTH && typeof value === 'string');
  const attributes = new Fields();
  for (const [key, value] of isFirehoses ? entries : [['header', text] as const]) {
    attributes[key] = value;
  }
  return attributes;
}
