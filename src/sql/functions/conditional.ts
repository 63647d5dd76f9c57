import {
  caseWhen,
  coalesce,
  compare,
  concat,
  constant,
  isNullConst,
  logical,
  structField,
} from '../ir/expr-builders.ts';
import type { ScalarFunction, SqlTemplate } from '../ir/function.ts';
import type { Expr } from '../ir/ir.ts';
import { BOOL, STRING, typeName } from '../ir/types.ts';
import { aggregateExample, docsFrom, example, type FunctionExample } from './common/doc.ts';
import { type CustomBoundFunction, calls, type FunctionCall } from './common/function.ts';

const doc = docsFrom('Conditional expressions');

function all(call: FunctionCall): Expr[] {
  return Array.from({ length: call.count }, (_, i) => call.arg(i));
}

function unified(
  call: FunctionCall,
  exprs: readonly Expr[],
): { type: Expr['type']; exprs: Expr[] } {
  const type = call.commonType(exprs);
  return { type, exprs: exprs.map((expr) => call.coerce(expr, type)) };
}

const bindCoalesce = (call: FunctionCall): Expr => {
  const { type, exprs } = unified(call, all(call));
  return coalesce(exprs, type);
};

/** NULL if any argument is, which DuckDB skips; NaN if any argument is, which no engine says of both. */
function extreme(
  name: string,
  comparison: string,
  examples: readonly [FunctionExample, ...FunctionExample[]],
): CustomBoundFunction {
  const plain = calls(name.toUpperCase());
  const any = (args: readonly string[], condition: (arg: string) => string): string =>
    args.map(condition).join(' OR ');
  const anyNull = (args: readonly string[]): string => any(args, (arg) => `${arg} IS NULL`);
  const fn: ScalarFunction = {
    name,
    athena: plain,
    duckdb: (args) => `CASE WHEN ${anyNull(args)} THEN NULL ELSE ${plain(args)} END`,
  };
  const ofFloats = (isNan: string): SqlTemplate => {
    const anyNan = (args: readonly string[]) => any(args, (arg) => `${isNan}(${arg})`);
    return (args) =>
      `CASE WHEN ${anyNull(args)} THEN NULL WHEN ${anyNan(args)} THEN CAST('NaN' AS DOUBLE) ELSE ${plain(args)} END`;
  };
  const floats: ScalarFunction = { name, athena: ofFloats('IS_NAN'), duckdb: ofFloats('ISNAN') };
  return {
    name,
    takes: [1, Number.POSITIVE_INFINITY],
    doc: docsFrom('Mathematical functions')(
      `${name.toUpperCase()}(value T[, ...]) -> T`,
      `${comparison} of the values, which may be of any type that has an order; NULL if any of them is NULL, else NaN if any is.`,
      examples,
    ),
    bind: (call) => {
      const { type, exprs } = unified(call, all(call));
      return { op: 'call', type, fn: type.kind === 'float64' ? floats : fn, args: exprs };
    },
  };
}

/** Numbers, dates and booleans are not refused in CONCAT but written out. */
function asText(call: FunctionCall, part: Expr): Expr {
  const fits = ['string', 'dynamic', 'null'].includes(part.type.kind);
  return fits ? call.coerce(part, STRING) : call.cast(part, STRING);
}

const NULLIF: ScalarFunction = {
  name: 'nullif',
  athena: calls('NULLIF'),
  // DuckDB's NULLIF is a macro of the same text, which doubles where no budget sees it.
  duckdb: ([a, b]) => `CASE WHEN ${a} = ${b} THEN NULL ELSE ${a} END`,
};

/** NaN equals nothing, except to DuckDB. */
const NULLIF_OF_FLOATS: ScalarFunction = {
  name: 'nullif',
  athena: calls('NULLIF'),
  duckdb: ([a, b]) => `CASE WHEN ${a} = ${b} AND NOT ISNAN(${a}) THEN NULL ELSE ${a} END`,
};

/** Whether two STRUCTs are equal, field by field: NULL if that hangs on a NULL. */
function sameStruct(call: FunctionCall, a: Expr, b: Expr): Expr {
  const { type } = a;
  switch (type.kind) {
    case 'struct':
      return logical(
        'and',
        type.fields.map((field, i) =>
          sameStruct(call, structField(a, i, field.type), structField(b, i, field.type)),
        ),
      );
    case 'array':
      throw call.fail(`NULLIF cannot compare ${typeName(type)}`);
    default:
      return compare('=', a, b);
  }
}

export const CONDITIONAL_FUNCTIONS: readonly CustomBoundFunction[] = [
  {
    name: 'concat',
    takes: [1, Number.POSITIVE_INFINITY],
    doc: docsFrom('String functions')(
      'CONCAT(value STRING[, ...]) -> STRING',
      'The values one behind the other, as `||`. Numbers, times and booleans are written out. NULL if any of them is NULL.',
      [
        example("CONCAT('GET ', '/v1')", 'GET /v1'),
        example("CONCAT('a', NULL)", null),
        aggregateExample("['a']", 'STRING_AGG(CONCAT(x, 1, true))', 'a1true'),
      ],
    ),
    // BigQuery's CONCAT is NULL when any part is, as `||` is in both engines.
    bind: (call) => concat(all(call).map((part) => asText(call, part))),
  },
  {
    name: 'if',
    takes: [3, 3],
    doc: doc(
      'IF(condition BOOL, value T, otherwise T) -> T',
      'The first value if the condition is TRUE, the second if it is FALSE or NULL. The other one is not evaluated.',
      [
        example("IF(1 < 2, 'yes', 'no')", 'yes'),
        example('IF(NULL, 1, 2)', 2),
        aggregateExample('[0, 4]', 'SUM(IF(x = 0, 0, DIV(8, x)))', 2),
      ],
    ),
    bind: (call) => {
      const { type, exprs } = unified(call, [call.arg(1), call.arg(2)]);
      const [result, otherwise] = exprs;
      if (result === undefined) throw new Error('IF has three arguments by now');
      return caseWhen([{ when: call.argAs(0, BOOL), result }], otherwise, type);
    },
  },
  {
    name: 'coalesce',
    takes: [1, Number.POSITIVE_INFINITY],
    doc: doc(
      'COALESCE(value T[, ...]) -> T',
      'The first value that is not NULL; NULL if all are.',
      [
        example("COALESCE(NULL, 'b', 'c')", 'b'),
        example('COALESCE(CAST(NULL AS INT64))', null),
        aggregateExample('[1, NULL]', 'SUM(COALESCE(x, 10))', 11),
      ],
    ),
    bind: bindCoalesce,
  },
  {
    name: 'ifnull',
    takes: [2, 2],
    doc: doc('IFNULL(value T, otherwise T) -> T', 'The value, or the other one if it is NULL.', [
      example('IFNULL(NULL, 0)', 0),
      example("IFNULL('', 'b')", ''),
      aggregateExample('[1, NULL]', 'SUM(IFNULL(x, 5))', 6),
    ]),
    bind: bindCoalesce,
  },
  {
    name: 'nullif',
    takes: [2, 2],
    doc: doc('NULLIF(value T, unwanted T) -> T', 'NULL if both are equal, else the first.', [
      example("NULLIF('', '')", null),
      example('NULLIF(1, NULL)', 1),
      aggregateExample("['-', 'a']", "STRING_AGG(NULLIF(x, '-'))", 'a'),
      example("NULLIF(CAST('nan' AS FLOAT64), CAST('nan' AS FLOAT64))", 'NaN'),
      example('NULLIF(STRUCT(1 AS a, 2 AS b), STRUCT(1, 2)) IS NULL', true),
      example('NULLIF(STRUCT(1 AS a, NULL AS b), STRUCT(1, NULL)) IS NULL', false),
    ]),
    bind: (call) => {
      const { type, exprs } = unified(call, [call.arg(0), call.arg(1)]);
      const [a, b] = exprs;
      if (a === undefined || b === undefined || isNullConst(a)) return constant(type, null);
      if (type.kind === 'struct' || type.kind === 'array') {
        return caseWhen([{ when: sameStruct(call, a, b), result: constant(type, null) }], a, type);
      }
      const same = compare('=', a, b);
      if (same.op === 'const') return same.value === true ? constant(type, null) : a;
      const fn = type.kind === 'float64' ? NULLIF_OF_FLOATS : NULLIF;
      return { op: 'call', type, fn, args: [a, b] };
    },
  },
  extreme('greatest', 'The greatest', [
    example('GREATEST(1, 3, 2)', 3),
    example("GREATEST('a', 'b')", 'b'),
    example('GREATEST(1, NULL)', null),
    example("GREATEST(CAST('nan' AS FLOAT64), 1)", 'NaN'),
    aggregateExample("['nan', NULL]", 'COUNT(GREATEST(CAST(x AS FLOAT64), 1))', 1),
  ]),
  extreme('least', 'The least', [
    example('LEAST(3, 1.5)', 1.5),
    example('LEAST(1, NULL)', null),
    example("LEAST(1, CAST('nan' AS FLOAT64))", 'NaN'),
    aggregateExample('[5, NULL]', 'SUM(LEAST(x, 3))', 3),
  ]),
];
