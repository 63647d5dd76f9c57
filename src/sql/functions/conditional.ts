import { caseWhen, coalesce, compare, concat, constant, isNullConst } from '../build.ts';
import type { Expr } from '../tree.ts';
import { BOOL, STRING } from '../types.ts';
import type { Form, ScalarFunction, SpecialCall, SpecialFunction } from './function.ts';

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
function extreme(name: string, comparison: string): SpecialFunction {
  const athena: Form = (args) => `${name.toUpperCase()}(${args.join(', ')})`;
  const fn: ScalarFunction = {
    name,
    athena,
    duckdb: (args) =>
      `CASE WHEN ${args.map((a) => `${a} IS NULL`).join(' OR ')} THEN NULL ELSE ${athena(args)} END`,
  };
  return {
    name,
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

const NULLIF_FORM: Form = ([a, b]) => `NULLIF(${a}, ${b})`;
const NULLIF: ScalarFunction = { name: 'nullif', athena: NULLIF_FORM, duckdb: NULLIF_FORM };

export const CONDITIONAL_FUNCTIONS: readonly SpecialFunction[] = [
  {
    name: 'concat',
    // BigQuery's CONCAT is NULL when any part is, as `||` is in both engines.
    bind: (call) => concat(all(call).map((part) => asText(call, part))),
  },
  {
    name: 'if',
    bind: (call) => {
      const { type, exprs } = unified(call, [call.arg(1), call.arg(2)]);
      const [result, otherwise] = exprs;
      if (result === undefined || call.count !== 3) {
        throw call.fail('IF takes 3 arguments: a condition and two values');
      }
      return caseWhen([{ when: call.argAs(0, BOOL), result }], otherwise, type);
    },
  },
  { name: 'coalesce', bind: bindCoalesce },
  { name: 'ifnull', bind: bindCoalesce },
  {
    name: 'nullif',
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
  extreme('greatest', 'The greatest'),
  extreme('least', 'The least'),
];
