import { create, type DescMessage, toBinary, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExportLogsServiceRequestSchema } from '../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';
import { ExportMetricsServiceRequestSchema } from '../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/metrics/v1/metrics_service_pb.ts';
import { ExportTraceServiceRequestSchema } from '../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/trace/v1/trace_service_pb.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { expectWellFormedRows } from '../encode/well-formed-rows.ts';
import { PROTOBUF } from '../formats/otlp/support.ts';
import { Harness, withoutIdAndTime } from '../support.ts';
import { arbitraryMessage } from './arbitrary-message.ts';

const SIGNALS: readonly [string, DescMessage][] = [
  ['/v1/logs', ExportLogsServiceRequestSchema],
  ['/v1/traces', ExportTraceServiceRequestSchema],
  ['/v1/metrics', ExportMetricsServiceRequestSchema],
];

/** Messages of a signal with up to so many levels of values in their records. */
function requests(type: DescMessage) {
  return arbitraryMessage(type, 8).map((fields) => create(type, fields));
}

/** A body with some of its bytes replaced, and its end cut off. */
const mutations = fc.record({
  replaced: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
  cut: fc.oneof(fc.constant(0), fc.nat(20)),
});

function mutated(
  bytes: Uint8Array,
  { replaced, cut }: { replaced: [number, number][]; cut: number },
): Uint8Array {
  const copy = bytes.slice(0, Math.max(0, bytes.length - cut));
  for (const [at, byte] of replaced) copy[at % copy.length] = byte;
  return copy;
}

/** protobuf's JSON as OTLP has it: ids in hex. */
function withHexIds(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (key, value) =>
    /^(?:trace|span|parentSpan)Id$/.test(key)
      ? Buffer.from(value, 'base64').toString('hex')
      : value,
  );
}

/** What a body leads to: rows that any lake can take, and refusals; or a ServiceError. */
async function outcomeOf(path: string, body: unknown, contentType: string) {
  const harness = new Harness();
  try {
    const { stored, rejected } = await harness.post(body, path, { contentType });
    expect(harness.rows).toHaveLength(stored);
    expectWellFormedRows(harness.rows);
    return {
      rejected,
      events: harness.events.map((event) => ({
        ...(withoutIdAndTime(event) as object),
        timestamp: event.timestamp,
      })),
    };
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).status).toBeLessThan(500);
    return undefined;
  }
}

describe.each(SIGNALS)('%s', (path, type) => {
  test('any message is stored or refused, and alike in protobuf and JSON', async () => {
    await fc.assert(
      fc.asyncProperty(requests(type), async (request) => {
        const fromProtobuf = await outcomeOf(path, toBinary(type, request), PROTOBUF);
        const json = withHexIds(toJson(type, request));
        const fromJson = await outcomeOf(path, json, 'application/json');

        expect(fromProtobuf).toBeDefined();
        expect(fromJson).toEqual(fromProtobuf);
      }),
      { numRuns: 300 },
    );
  });

  test('a damaged message gives well-formed rows or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(requests(type), mutations, async (request, mutation) => {
        await outcomeOf(path, mutated(toBinary(type, request), mutation), PROTOBUF);
      }),
      { numRuns: 300 },
    );
  });

  test('any bytes give well-formed rows or are refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await outcomeOf(path, bytes, PROTOBUF);
        await outcomeOf(path, bytes, 'application/json');
      }),
      { numRuns: 300 },
    );
  });

  test('JSON whose values are of other types gives well-formed rows or is refused', async () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('NaN', '', '-1', '1e3', [[]], 1e300, -1, 'SPAN_KIND_SERVER', '2 '),
    );
    const replacements = fc.array(fc.tuple(fc.nat(40), odd), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(requests(type), replacements, async (request, replaced) => {
        const byPosition = new Map(replaced);
        let position = 0;
        const json = JSON.stringify(withHexIds(toJson(type, request)), (_key, value) => {
          position++;
          // A copy, because a replacement may be replaced inside by itself.
          return byPosition.has(position) ? structuredClone(byPosition.get(position)) : value;
        });
        await outcomeOf(path, json, 'application/json');
      }),
      { numRuns: 300 },
    );
  });
});
