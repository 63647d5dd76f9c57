import { caseWhen, coalesce, compare, concat, constant, isNullConst } from '../build.ts';
import type { Expr } from '../tree.ts';
import { BOOL, STRING } from '../types.ts';
import { docsFrom, type FunctionExample, is, of } from './doc.ts';
import {
  calls,
  type Form,
  type ScalarFunction,
  type SpecialCall,
  type SpecialFunction,
} from './function.ts';

const doc = docsFrom('Conditional expressions');

function all(call: SpecialCall, from = 0): Expr[] {
  return Array.from({ length: Math.max(call.count - from, 0) }, (_, i) => call.arg(i + from));
}

function unified(call: SpecialCall, exprs: readonly Expr[]): { type: Expr['type']; exprs: Expr[] } {
  const type = call.commonType(exprs);
  return { type, exprs: exprs.map((expr) => call.coerce(expr, type)) };
}

const bindCoalesce = (call: SpecialCall): Expr => {
  const { type, exprs } = unified(call, call.count === 0 ? [call.arg(0)] : all(call));
  return coalesce(exprs, type);
};

/** GREATEST and LEAST are NULL if any argument is, in BigQuery and Trino; DuckDB skips NULLs. */
function extreme(
  name: string,
  comparison: string,
  examples: readonly [FunctionExample, ...FunctionExample[]],
): SpecialFunction {
  const athena: Form = (args) => `${name.toUpperCase()}(${args.join(', ')})`;
  const fn: ScalarFunction = {
    name,
    athena,
    duckdb: (args) =>
      `CASE WHEN ${args.map((a) => `${a} IS NULL`).join(' OR ')} THEN NULL ELSE ${athena(args)} END`,
  };
  return {
    name,
    doc: docsFrom('Mathematical functions')(
      `${name.toUpperCase()}(value T[, ...]) -> T`,
      `${comparison} of the values, which may be of any type that has an order; NULL if any of them is NULL.`,
      examples,
    ),
    bind: (call) => {
      const { type, exprs } = unified(call, all(call));
      if (exprs.length === 0) {
        throw call.fail(`${comparison} of nothing: name at least one value`);
      }
      return { op: 'call', type, fn, args: exprs };
    },
  };
}

/** Numbers, dates and booleans are not refused in CONCAT but written out. */
function asText(call: SpecialCall, part: Expr): Expr {
  const fits = ['string', 'dynamic', 'null'].includes(part.type.kind);
  return fits ? call.coerce(part, STRING) : call.cast(part, STRING);
}

const NULLIF: ScalarFunction = {
  name: 'nullif',
  athena: calls('NULLIF'),
  // DuckDB's NULLIF is a macro of the same text, which doubles where no budget sees it.
  duckdb: ([a, b]) => `CASE WHEN ${a} = ${b} THEN NULL ELSE ${a} END`,
};

export const CONDITIONAL_FUNCTIONS: readonly SpecialFunction[] = [
  {
    name: 'concat',
    doc: docsFrom('String functions')(
      'CONCAT(value STRING[, ...]) -> STRING',
      'The values one behind the other, as `||`. Numbers, times and booleans are written out. NULL if any of them is NULL.',
      [
        is("CONCAT('GET ', '/v1')", 'GET /v1'),
        is("CONCAT('a', NULL)", null),
        of("['a']", 'STRING_AGG(CONCAT(x, 1, true))', 'a1true'),
      ],
    ),
    // BigQuery's CONCAT is NULL when any part is, as `||` is in both engines.
    bind: (call) => concat(all(call).map((part) => asText(call, part))),
  },
  {
    name: 'if',
    doc: doc(
      'IF(condition BOOL, value T, otherwise T) -> T',
      'The first value if the condition is TRUE, the second if it is FALSE or NULL. The other one is not evaluated.',
      [
        is("IF(1 < 2, 'yes', 'no')", 'yes'),
        is('IF(NULL, 1, 2)', 2),
        of('[0, 4]', 'SUM(IF(x = 0, 0, DIV(8, x)))', 2),
      ],
    ),
    bind: (call) => {
      const { type, exprs } = unified(call, [call.arg(1), call.arg(2)]);
      const [result, otherwise] = exprs;
      if (result === undefined || call.count !== 3) {
        throw call.fail('IF takes 3 arguments: a condition and two values');
      }
      return caseWhen([{ when: call.argAs(0, BOOL), result }], otherwise, type);
    },
  },
  {
    name: 'coalesce',
    doc: doc(
      'COALESCE(value T[, ...]) -> T',
      'The first value that is not NULL; NULL if all are.',
      [
        is("COALESCE(NULL, 'b', 'c')", 'b'),
        is('COALESCE(CAST(NULL AS INT64))', null),
        of('[1, NULL]', 'SUM(COALESCE(x, 10))', 11),
      ],
    ),
    bind: bindCoalesce,
  },
  {
    name: 'ifnull',
    doc: doc('IFNULL(value T, otherwise T) -> T', 'The value, or the other one if it is NULL.', [
      is('IFNULL(NULL, 0)', 0),
      is("IFNULL('', 'b')", ''),
      of('[1, NULL]', 'SUM(IFNULL(x, 5))', 6),
    ]),
    bind: bindCoalesce,
  },
  {
    name: 'nullif',
    doc: doc('NULLIF(value T, unwanted T) -> T', 'NULL if both are equal, else the first.', [
      is("NULLIF('', '')", null),
      is('NULLIF(1, NULL)', 1),
      of("['-', 'a']", "STRING_AGG(NULLIF(x, '-'))", 'a'),
    ]),
    bind: (call) => {
      const { type, exprs } = unified(call, [call.arg(0), call.arg(1)]);
      const [a, b] = exprs;
      if (a === undefined || b === undefined || isNullConst(a)) {
        return constant(type, null);
      }
      const same = compare('=', a, b);
      if (same.op === 'const') {
        return same.value === true ? constant(type, null) : a;
      }
      return { op: 'call', type, fn: NULLIF, args: [a, b] };
    },
  },
  extreme('greatest', 'The greatest', [
    is('GREATEST(1, 3, 2)', 3),
    is("GREATEST('a', 'b')", 'b'),
    is('GREATEST(1, NULL)', null),
  ]),
  extreme('least', 'The least', [
    is('LEAST(3, 1.5)', 1.5),
    is('LEAST(1, NULL)', null),
    of('[5, NULL]', 'SUM(LEAST(x, 3))', 3),
  ]),
];
