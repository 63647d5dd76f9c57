/** Damage to bytes, as broken agents and attackers do it. */
import fc from 'fast-check';

/** What parsers trip over, in pieces. */
const PIECES = [
  ...['{', '}', '[', ']', '"', '\\', ':', ',', '\n', '\r\n', ' ', '\t', '=', '&', '%', '<', '>'],
  ...['null', 'true', '-', '-0', '1e999', '9'.repeat(400), '0.1e-400', '12345678901234567890'],
  ...[
    '"__proto__":',
    '"constructor":',
    '\\u0000',
    '\\ud800',
    '\ufeff',
    '\u2028',
    '\u0000',
    'é',
    '👩',
  ],
  ...['[['.repeat(50), '{"a":'.repeat(80), '"'.repeat(30), '999999999 <1>1 ', '\u001b[1m'],
].map((piece) => Buffer.from(piece));

const piece = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
);

/** Replaces `length` bytes at a place between 0 and 1 by others. */
interface Cut {
  readonly at: number;
  readonly length: number;
  readonly by: Uint8Array;
  /** Copies the cut bytes so often instead. */
  readonly copies: number;
}

const cut: fc.Arbitrary<Cut> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof(fc.constantFrom(0, 1), fc.nat(40)),
  by: piece,
  copies: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(50) }),
});

/** Bytes that were changed in some places; now and then not at all, or cut off. */
export function mutated(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(fc.array(cut, { maxLength: 4 }), fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1 })))
    .map(([cuts, rest]) => {
      const damaged = cuts.reduce(apply, Buffer.from(bytes));
      return new Uint8Array(damaged.subarray(0, Math.ceil(damaged.length * rest)));
    });
}

function apply(bytes: Buffer, { at, length, by, copies }: Cut): Buffer<ArrayBuffer> {
  const start = Math.floor(at * bytes.length);
  const removed = bytes.subarray(start, start + length);
  const instead = copies > 0 ? Array<Buffer>(copies).fill(removed) : [by];
  return Buffer.concat([bytes.subarray(0, start), ...instead, bytes.subarray(start + length)]);
}
