import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { NANOS } from '../formats/otlp/support.ts';

/** Fields whose name says more than their type. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  traceId: idOf(16),
  spanId: idOf(8),
  parentSpanId: idOf(8),
  timeUnixNano: time(),
  startTimeUnixNano: time(),
  endTimeUnixNano: time(),
  observedTimeUnixNano: time(),
  key: fc.oneof(
    fc.constantFrom(
      'service.name',
      'a',
      'a.b',
      '',
      '__proto__',
      'constructor',
      'rawJSON',
      'toJSON',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  ),
};

function idOf(length: number): fc.Arbitrary<Uint8Array> {
  return fc.oneof(
    fc.constant(new Uint8Array()),
    fc.uint8Array({ minLength: length, maxLength: length }),
  );
}

/** Mostly times that are not refused. */
function time(): fc.Arbitrary<bigint> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: NANOS }) },
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  );
}

/**
 * What makes any message of a type, following its descriptor.
 *
 * @param levels messages that may be nested in it.
 */
export function arbitraryMessage(
  type: DescMessage,
  levels: number,
): fc.Arbitrary<Record<string, unknown>> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const member of type.members) {
    const choices = (member.kind === 'oneof' ? member.fields : [member])
      .filter((field) => field.message === undefined || levels > 0)
      .map((field) => {
        const value = arbitraryField(field, levels - 1);
        return member.kind === 'oneof'
          ? value.map((chosen) => ({ case: field.localName, value: chosen }))
          : value;
      });
    if (choices.length > 0) members[member.localName] = fc.oneof(...choices);
  }
  return fc.record(members, { requiredKeys: [] });
}

function arbitraryField(field: DescField, levels: number): fc.Arbitrary<unknown> {
  const value =
    BY_NAME[field.localName] ??
    (field.message === undefined ? scalar(field.scalar) : arbitraryMessage(field.message, levels));
  return field.fieldKind === 'list' ? fc.array(value, { maxLength: 3 }) : value;
}

function scalar(type: ScalarType | undefined): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return fc.string({ unit: 'binary', maxLength: 8 });
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 8 });
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.DOUBLE:
      return fc.double();
    case ScalarType.INT64:
    case ScalarType.SFIXED64:
    case ScalarType.SINT64:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return fc.integer({ min: 0, max: 2 ** 32 - 1 });
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return fc.integer();
    case undefined:
      return fc.integer({ min: 0, max: 8 });
    default:
      throw new Error(`No values of type ${type} are made here.`);
  }
}
