/** Requests of the OTLP exporters, read with the messages that protobuf-es generates. */
import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
} from '@bufbuild/protobuf';
import { ServiceError } from '../../../platform/errors.ts';
import { mayHoldUnsafeInteger } from '../../../platform/json/unsafe-integers.ts';
import { parseEventJson } from '../../decode/event-json.ts';
import type { DecodedEvents } from '../../decode/format.ts';
import { ValueBudget } from '../../event/max-values.ts';
import { acceptAnyText } from './values/any-text.ts';
import { type IdText, idOfBytes, idOfJson } from './values/ids.ts';
import { prepareJson } from './values/json-value-limit.ts';
import { checkProtobufValues } from './values/protobuf-value-limit.ts';
import { MAX_REQUEST_VALUES, mayHoldTooMuch } from './values/value-limits.ts';

/** The events of a request in either encoding. */
export interface RequestReader {
  /** @throws ServiceError `invalid_otlp` (400), `too_many_values` or `too_many_events` (413). */
  fromProtobuf(bytes: Uint8Array): DecodedEvents;
  /** @throws ServiceError the same, `invalid_json` and `nesting_too_deep` (400). */
  fromJson(bytes: Uint8Array): DecodedEvents;
}

/**
 * Messages within messages. A value that nests as deep as an event may (64 levels) takes 191: three
 * for each level, and four around the log record.
 */
const MAX_DEPTH = 200;

/** Decoders of requests as exporters write them, which protobuf-es reads at twice the cost: `fast-path/`. */
export interface FastDecoders {
  /** The events; undefined where protobuf-es has to read the request. */
  fromProtobuf(bytes: Uint8Array): DecodedEvents | undefined;
  /** The same. */
  fromJson(json: unknown): DecodedEvents | undefined;
}

/** @param fast for a signal that has any. */
export function requestReader<Desc extends DescMessage>(
  schema: Desc,
  eventsOf: (request: MessageShape<Desc>, idText: IdText) => DecodedEvents,
  fast?: FastDecoders,
): RequestReader {
  acceptAnyText(schema);
  return {
    fromProtobuf(bytes) {
      refusing(notProtobuf(schema), () => checkProtobufValues(schema, bytes, MAX_DEPTH));
      return fast?.fromProtobuf(bytes) ?? eventsOf(readProtobuf(schema, bytes), idOfBytes);
    },
    fromJson(bytes) {
      const json = parseJson(bytes);
      return fast?.fromJson(json) ?? eventsOf(readJson(schema, json), idOfJson);
    },
  };
}

function readProtobuf<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
): MessageShape<Desc> {
  return refusing(notProtobuf(schema), () =>
    fromBinary(schema, bytes, { readUnknownFields: false, recursionLimit: MAX_DEPTH }),
  );
}

function parseJson(bytes: Uint8Array): unknown {
  // An attribute is two parts, itself and its value, which take four values of JSON.
  new ValueBudget(2 * MAX_REQUEST_VALUES).spend(bytes);
  const parsed = bytes.length === 0 ? {} : parseEventJson(bytes);
  const isPlain = !mayHoldUnsafeInteger(bytes) && !mayHoldTooMuch(bytes);
  return isPlain ? parsed : prepareJson(parsed);
}

function readJson<Desc extends DescMessage>(schema: Desc, json: unknown): MessageShape<Desc> {
  return refusing(`The body is not an ${schema.name} in OTLP/JSON`, () =>
    fromJson(schema, json as JsonValue, { ignoreUnknownFields: true, recursionLimit: MAX_DEPTH }),
  );
}

function notProtobuf({ name }: DescMessage): string {
  return `The body is not an ${name} in protobuf`;
}

/** The library's own sentences quote values, which may be secrets: only the field is passed on. */
function refusing<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError(
      'invalid_otlp',
      400,
      `${problem}${place(cause)}, or its messages nest deeper than ${MAX_DEPTH} levels.`,
      { cause },
    );
  }
}

/** Name of the field at fault, where the library says. */
function place(error: unknown): string {
  const { cause } = error as { cause?: { field?: () => unknown } };
  return typeof cause?.field === 'function' ? ` (${cause.field()})` : '';
}
