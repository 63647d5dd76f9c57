/** What the records of a Firehose stream hold: anything, packed in any of the usual ways. */
import { isUtf8 } from 'node:buffer';
import type { Fields } from '../../../platform/json/fields.ts';
import { isPlainObject, stringifyJson } from '../../../platform/json/json.ts';
import { bytesOfBase64 } from '../../decode/base64.ts';
import { EmbeddedGzip } from '../../decode/embedded-gzip.ts';
import { jsonDocuments } from '../../decode/json-documents.ts';
import { EventBatch } from '../../event/event-batch.ts';
import { withFallback } from '../../event/fallback-event.ts';
import { JsonTextOf, pickMessage } from '../../event/message.ts';
import { parseEventTimestamp } from '../../event/parse-timestamp.ts';
import { TimeOf } from '../../event/usual-time.ts';
import { addLogEvents, logSubscription } from './log-subscription.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What all records of one request share. */
export interface RecordOrigin {
  /** The same when Firehose sends a request again, so that ids made of it tell copies apart. */
  readonly requestId: string | undefined;
  /** Time of the events that have none. */
  readonly timestamp: unknown;
  /** Stored with every event. */
  readonly shared: Readonly<Fields>;
  readonly maxInflatedBytes: number;
}

/** Longer ids are those of no service; a text in several events has one made for it. */
const MAX_ID_LENGTH = 128;

/** Reads the records of one request, one after another; nothing in them is refused. */
export class FirehoseRecords {
  readonly #batch = new EventBatch();
  readonly #gzip: EmbeddedGzip;
  readonly #origin: RecordOrigin;
  readonly #sharedLength: number;

  constructor(origin: RecordOrigin) {
    this.#origin = origin;
    this.#gzip = new EmbeddedGzip(origin.maxInflatedBytes);
    this.#sharedLength = stringifyJson(origin.shared).length;
  }

  get events(): readonly unknown[] {
    return this.#batch.events;
  }

  /**
   * @param record an element of the body's `records`.
   * @throws ServiceError `body_too_large`, `too_many_events`, `too_many_values` (413) over a limit of the request,
   *   `malformed_compression` (400) when too many records are broken.
   */
  add(record: unknown): void {
    const data = isPlainObject(record) ? record.data : undefined;
    const bytes = typeof data === 'string' ? bytesOfBase64(data) : undefined;
    if (typeof data !== 'string') {
      this.#addText(stringifyJson(record), 'a record without base64 data');
    } else if (bytes === undefined) {
      this.#addText(data, 'not base64');
    } else {
      this.#addBytes(bytes, data);
    }
  }

  #addBytes(bytes: Uint8Array, asBase64: string): void {
    const isGzip = EmbeddedGzip.isGzip(bytes);
    const content = isGzip ? this.#gzip.inflate(bytes) : bytes;
    if (content === undefined) {
      this.#addText(asBase64, 'not valid gzip data, or cut short; the message is base64');
    } else if (isBinary(content)) {
      const text = isGzip ? Buffer.from(content).toString('base64') : asBase64;
      this.#addText(text, 'binary data; the message is base64');
    } else {
      this.#addContent(content);
    }
  }

  #addContent(content: Uint8Array): void {
    for (const document of jsonDocuments(content, this.#batch.budget)) {
      if ('text' in document) {
        this.#addText(document.text);
        continue;
      }
      const subscription = logSubscription(document.value);
      if (subscription === undefined) {
        this.#addObject(document.value);
      } else {
        addLogEvents(subscription, this.#batch, this.#origin.shared);
      }
    }
  }

  #addObject(object: JsonObject): void {
    const { shared } = this.#origin;
    const made = this.#nextId();
    const timestamp = new TimeOf(object, awsTime(object) ?? this.#origin.timestamp);
    const event = {
      ...shared,
      id: object.id ?? made,
      timestamp,
      event_message: pickMessage(object) ?? new JsonTextOf(object),
      metadata: object,
    };
    const id = isShortText(object.id) ? object.id : made;
    const kept = { ...shared, timestamp, id };
    this.#batch.add(
      withFallback(event, () => stringifyJson(object), kept),
      this.#sharedLength,
    );
  }

  #addText(text: string, problem?: string): void {
    const { shared, timestamp } = this.#origin;
    const kept = { ...shared, timestamp, id: this.#nextId(), ingest_problem: problem };
    const event = { ...kept, event_message: text };
    this.#batch.add(
      withFallback(event, () => text, kept),
      this.#sharedLength,
    );
  }

  /** An id from the place of an event in its request. */
  #nextId(): string | undefined {
    const { requestId } = this.#origin;
    return requestId === undefined ? undefined : `${requestId}-${this.#batch.events.length}`;
  }
}

/** The time of an object under the names that only CloudTrail and the Route 53 Resolver have for it. */
function awsTime({ eventTime, query_timestamp: queried }: JsonObject): unknown {
  return [eventTime, queried].find((value) => parseEventTimestamp(value) !== undefined);
}

/** Bytes that are neither text nor a text with some broken characters. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0) && !isUtf8(bytes);
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ID_LENGTH;
}
