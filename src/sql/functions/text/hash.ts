import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { STRING } from '../../ir/types.ts';
import { docsFrom, example, type FunctionExample } from '../common/doc.ts';
import type { CustomBoundFunction } from '../common/function.ts';

const doc = docsFrom('Hash functions');
const EMPTY_MD5 = 'd41d8cd98f00b204e9800998ecf8427e';

/**
 * The hexadecimal text of each digest that was bound. There is no BYTES type here, so a digest by
 * itself cannot be printed; TO_HEX finds in this map what it can.
 */
const hexOf = new WeakMap<Expr, Expr>();

/** Digests of the UTF-8 bytes of a text. */
export const HASH_FUNCTIONS: readonly CustomBoundFunction[] = [
  {
    name: 'to_hex',
    takes: [1, 1],
    doc: docsFrom('String functions')(
      'TO_HEX(digest BYTES) -> STRING',
      'Two lower-case hexadecimal digits for each byte. Takes what MD5, SHA1 and SHA256 give.',
      [example("TO_HEX(MD5(''))", EMPTY_MD5)],
    ),
    bind: (call) => {
      const hex = hexOf.get(call.arg(0));
      if (hex === undefined) throw call.fail('TO_HEX takes the result of MD5, SHA1 or SHA256');
      return hex;
    },
  },
  digest('MD5', [
    example("TO_HEX(MD5('é'))", '66ddcd97cfdeabb2f6fb8a999b4bc76f'),
    example('TO_HEX(MD5(CAST(NULL AS STRING)))', null),
  ]),
  digest('SHA1', [example("TO_HEX(SHA1('abc'))", 'a9993e364706816aba3e25717850c26c9cd0d89d')]),
  digest('SHA256', [
    example(
      "TO_HEX(SHA256('abc'))",
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    ),
  ]),
];

function digest(
  name: string,
  examples: readonly [FunctionExample, ...FunctionExample[]],
): CustomBoundFunction {
  const hex: ScalarFunction = {
    name: name.toLowerCase(),
    athena: ([s]) => `LOWER(TO_HEX(${name}(TO_UTF8(${s}))))`,
    duckdb: ([s]) => `${name}(${s})`,
  };
  return {
    name: name.toLowerCase(),
    takes: [1, 1],
    doc: doc(
      `${name}(value STRING) -> BYTES`,
      `The ${name} digest of the text's UTF-8 bytes. Only inside TO_HEX, as there are no other BYTES here.`,
      examples,
    ),
    bind: (call) => {
      const value = call.argAs(0, STRING);
      const error = call.fail(`${name} gives BYTES: write TO_HEX(${name}(..))`);
      const bytes: Expr = { op: 'invalid', type: STRING, error };
      hexOf.set(bytes, { op: 'call', type: STRING, fn: hex, args: [value] });
      return bytes;
    },
  };
}
