import { create, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainLogsOfJson } from '../../../../src/ingest/formats/otlp/fast-path/json-logs.ts';
import { plainLogsOfProtobuf } from '../../../../src/ingest/formats/otlp/fast-path/protobuf-logs.ts';
import { ExportLogsServiceRequestSchema as SCHEMA } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';
import { eventsOfMessages, logs } from '../../../../src/ingest/formats/otlp/logs.ts';
import { requestReader } from '../../../../src/ingest/formats/otlp/request.ts';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { arbitraryMessage } from '../../fuzz/arbitrary-message.ts';
import { bytes, logsJson, SPAN_ID, TRACE_ID } from './support.ts';

/** The same without fast decoders: protobuf-es reads everything. */
const careful = requestReader(SCHEMA, eventsOfMessages);

/** What a reader gives, or the error that it refuses a body with. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** Fields of which exporters of logs know nothing. */
const RARE = /^(?:keyStrindex|entityRefs)$/;
/** Kinds of values that are rare or are text in JSON. */
const RARE_VALUES = /^(?:stringValueStrindex|bytesValue)$/;

/** protobuf's JSON of a request as exporters send it, but for what it says. */
function usual(json: unknown): JsonValue {
  if (Array.isArray(json)) return json.map(usual);
  if (typeof json !== 'object' || json === null) return json as JsonValue;
  const entries = Object.entries(json)
    .filter(([name]) => !RARE.test(name))
    .map(([name, value]) =>
      RARE_VALUES.test(name) ? ['stringValue', String(value)] : [name, usual(value)],
    );
  return Object.fromEntries(entries);
}

const anyRequest = arbitraryMessage(SCHEMA, 7).map((fields) => create(SCHEMA, fields));
const usualRequest = anyRequest.map((request) => fromJson(SCHEMA, usual(toJson(SCHEMA, request))));
const request = fc.oneof({ weight: 3, arbitrary: usualRequest }, anyRequest);

/** OTLP/JSON: ids are hex, and most exporters give the number of a severity. */
function otlpJson(message: ReturnType<typeof create<typeof SCHEMA>>): string {
  const json = toJson(SCHEMA, message, { enumAsInteger: true });
  return JSON.stringify(json, (key, value) =>
    /^(?:trace|span)Id$/.test(key) ? Buffer.from(value, 'base64').toString('hex') : value,
  );
}

/** Replaces the values at some positions of a JSON text. */
function withReplaced(json: string, replaced: readonly [number, unknown][]): string {
  const byPosition = new Map(replaced);
  let position = 0;
  return JSON.stringify(JSON.parse(json), (_key, value) => {
    position++;
    return byPosition.has(position) ? structuredClone(byPosition.get(position)) : value;
  });
}

/** Renames the fields at some positions to what others are called, or nothing is. */
function withRenamed(json: string, renamed: readonly [number, string][]): string {
  const byPosition = new Map(renamed);
  let position = 0;
  return json.replace(/"(\w+)":/g, (member) => {
    position++;
    const name = byPosition.get(position);
    return name === undefined ? member : `${JSON.stringify(name)}:`;
  });
}

const position = fc.nat(30);
const ODD_VALUES: readonly unknown[] = [
  ...['NaN', '', '-1', '-0', '007', '1e3', '0x10', '2 ', '9', 'ABCD', '\ud800', '0b4zAAAA'],
  ...[-0, 1e300, -1, 2 ** 31, 2 ** 32, 2 ** 53, 1.5, 101, true, null, [[]], [], {}, [{}], [null]],
  ...['12345678901234567890', '-9223372036854775808', '123456789012345678', '18446744073709551615'],
  ...['SEVERITY_NUMBER_INFO', TRACE_ID, SPAN_ID, TRACE_ID.toUpperCase(), 'abcdefg', 'abc'],
  { stringValue: 'x', intValue: '1' },
];
const oddValue = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...ODD_VALUES));
const oddName = fc.constantFrom(
  ...['key', 'value', 'values', 'stringValue', 'string_value', 'intValue', 'bytesValue', 'body'],
  ...['time_unix_nano', 'timeUnixNano', 'traceId', 'severityNumber', 'attributes', 'unknown'],
  ...['__proto__', 'droppedAttributesCount', 'scope', 'resource', 'schemaUrl', 'boolValue'],
);

const badBytes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 });

const usualLog = {
  timeUnixNano: '1748779140123456789',
  severityNumber: 9,
  severityText: 'INFO',
  body: { stringValue: 'GET /' },
  attributes: [
    { key: 'a', value: { intValue: '12' } },
    { key: 'b', value: { doubleValue: 0.5 } },
    { key: 'c', value: { boolValue: true } },
    { key: 'd', value: { arrayValue: { values: [{ stringValue: 'x' }] } } },
    { key: 'e', value: { kvlistValue: { values: [{ key: 'f', value: { intValue: 1 } }] } } },
  ],
  traceId: TRACE_ID,
  spanId: SPAN_ID,
  flags: 1,
};

/** The same in protobuf. */
function usualProtobuf(): Uint8Array {
  const inBase64 = {
    ...usualLog,
    traceId: Buffer.from(TRACE_ID, 'hex').toString('base64'),
    spanId: Buffer.from(SPAN_ID, 'hex').toString('base64'),
  };
  return toBinary(SCHEMA, fromJson(SCHEMA, logsJson(inBase64) as JsonValue));
}

/** A field of protobuf that holds a message or text. */
function field(number: number, ...content: readonly (string | Uint8Array)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

describe('fast decoders of logs', () => {
  test('JSON: the events that protobuf-es gives, or its refusal', () => {
    let read = 0;
    const replaced = fc.array(fc.tuple(position, oddValue), { maxLength: 2 });
    const renamed = fc.array(fc.tuple(position, oddName), { maxLength: 2 });

    fc.assert(
      fc.property(request, replaced, renamed, (message, values, names) => {
        const text = withRenamed(withReplaced(otlpJson(message), values), names);
        const body = Buffer.from(text);
        if (plainLogsOfJson(JSON.parse(text)) !== undefined) read++;

        expect(outcome(() => logs.fromJson(body))).toEqual(outcome(() => careful.fromJson(body)));
      }),
      { numRuns: 3000 },
    );

    expect(read).toBeGreaterThan(500);
  });

  test('protobuf: the events that protobuf-es gives, or its refusal', () => {
    let read = 0;

    fc.assert(
      fc.property(request, badBytes, fc.constantFrom(0, 0, 0, 1, 5), (message, bad, cut) => {
        const whole = toBinary(SCHEMA, message);
        const body = whole.subarray(0, Math.max(0, whole.length - cut));
        for (const [at, byte] of bad) body[at % body.length] = byte;
        if (plainLogsOfProtobuf(body) !== undefined) read++;

        expect(outcome(() => logs.fromProtobuf(body))).toEqual(
          outcome(() => careful.fromProtobuf(body)),
        );
      }),
      { numRuns: 3000 },
    );

    expect(read).toBeGreaterThan(500);
  });

  test('protobuf: two messages after each other are read as the one that they make', () => {
    fc.assert(
      fc.property(request, request, (first, second) => {
        // Fields that come again are merged, at every level of a message.
        const [one, other] = [first, second].map((message) => toBinary(SCHEMA, message));
        const body = Buffer.concat([one ?? bytes(''), other ?? bytes('')]);

        expect(outcome(() => logs.fromProtobuf(body))).toEqual(
          outcome(() => careful.fromProtobuf(body)),
        );
      }),
    );
  });

  test('read what exporters send', () => {
    const json = logsJson(usualLog);
    const fromJsonText = plainLogsOfJson(json);

    expect(fromJsonText?.resourceLogs[0]?.scopeLogs[0]?.logRecords).toHaveLength(1);
    expect(plainLogsOfProtobuf(usualProtobuf())).toEqual(fromJsonText);
  });

  test.each([
    ...['timeUnixNano', 'observedTimeUnixNano', 'severityNumber', 'severityText', 'body', 'flags'],
    ...['attributes', 'droppedAttributesCount', 'traceId', 'spanId', 'eventName'],
  ])('JSON: any %s is read or refused as protobuf-es does', (name) => {
    for (const value of ODD_VALUES) {
      const body = Buffer.from(JSON.stringify(logsJson({ [name]: value })));

      expect(outcome(() => logs.fromJson(body))).toEqual(outcome(() => careful.fromJson(body)));
    }
  });

  test.each([
    ...['stringValue', 'intValue', 'doubleValue', 'boolValue', 'bytesValue'],
    ...['arrayValue', 'kvlistValue'],
  ])('JSON: any %s is read or refused as protobuf-es does', (kind) => {
    const lists = ODD_VALUES.flatMap((value) => [{ values: value }, { values: [value] }]);
    for (const value of [...ODD_VALUES, ...lists]) {
      const body = Buffer.from(JSON.stringify(logsJson({ body: { [kind]: value } })));

      expect(outcome(() => logs.fromJson(body))).toEqual(outcome(() => careful.fromJson(body)));
    }
  });

  test('protobuf: any byte in the place of another is read or refused as protobuf-es does', () => {
    const usual = usualProtobuf();
    for (let at = 0; at < usual.length; at++) {
      for (let byte = 0; byte < 256; byte += at % 2 === 0 ? 1 : 7) {
        const body = usual.with(at, byte);

        expect(outcome(() => logs.fromProtobuf(body))).toEqual(
          outcome(() => careful.fromProtobuf(body)),
        );
      }
    }
  });

  const x = field(1, 'x');
  const xy = [field(5, field(1, 'x')), field(5, field(1, 'y'))] as const;
  const record = field(2, field(5, x));
  const inScope = (...content: Uint8Array[]) => field(1, field(2, ...content));

  test.each<[string, Uint8Array]>([
    ['a body', inScope(field(2, ...xy))],
    ['a body that is empty', inScope(field(2, field(5), field(5, x)))],
    ['a member of one value', inScope(field(2, field(5, x, Buffer.from([0x10, 1]))))],
    ['a list', inScope(field(2, field(5, field(5, field(1, x)), field(5, field(1, x)))))],
    ['the value of an attribute', inScope(field(2, field(6, x, field(2, x), field(2))))],
    ['a scope', inScope(field(1, x), field(1, field(2, 'v')), record)],
    ['a resource', field(1, field(1, field(1, x)), field(1, field(1, x)), field(2, record))],
  ])('protobuf: %s that comes twice is left to protobuf-es', (_, body) => {
    expect(plainLogsOfProtobuf(body)).toBeUndefined();
    expect(logs.fromProtobuf(body)).toEqual(careful.fromProtobuf(body));
    expect(logs.fromProtobuf(body).events).toHaveLength(1);
  });

  test.each<[string, Uint8Array]>([
    ['a number', Buffer.concat([field(1, field(2, field(2, Buffer.from([0x45, 1, 2]))), 'xx')])],
    ['a text', inScope(field(2, Buffer.from([0x1a, 9]), 'x'), record)],
  ])('protobuf: %s that passes the end of its message is left to protobuf-es', (_, body) => {
    expect(plainLogsOfProtobuf(body)).toBeUndefined();
    expect(outcome(() => logs.fromProtobuf(body))).toEqual(
      outcome(() => careful.fromProtobuf(body)),
    );
  });

  test.each<[string, object]>([
    ['an unknown field', { ...usualLog, other: 1 }],
    ['a name in snake case', { severity_text: 'INFO' }],
    ['null', { severityText: null }],
    ['a severity by name', { severityNumber: 'SEVERITY_NUMBER_INFO' }],
    ['bytes', { body: { bytesValue: 'AAEC' } }],
    ['two values in one', { body: { stringValue: 'x', intValue: '1' } }],
    ['a list in place of an object', { body: [] }],
    ['half of a surrogate pair', { severityText: '\ud800' }],
    ['an id in upper case', { traceId: TRACE_ID.toUpperCase() }],
  ])('JSON: leave %s to protobuf-es', (_, record) => {
    expect(plainLogsOfJson(logsJson(record))).toBeUndefined();
  });
});
