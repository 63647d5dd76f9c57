import type { AstExpr } from '../parse/ast.ts';
import type { Filter, LqlComparison, Test } from './clause.ts';
import { asNumber, call, cast, int } from './syntax.ts';
import { anyValue, column } from './unnest-joins.ts';

/**
 * A filter as a condition of WHERE. A row meets either the filter or its negation: a value that is
 * missing, or of a type that cannot be compared, does not meet the filter.
 */
export function conditionOf(table: string, { at, negated, path, test }: Filter): AstExpr {
  const ofElements = test.kind === 'includes' || test.kind === 'includes_regex';
  const [first, ...rest] = path.parts;
  if (first === undefined) throw new Error('a path has at least one part');
  if (rest.length > 0 || ofElements) {
    // "Is NULL" asks that no value is there at all, so it is the negation of "one is".
    const isNull = test.kind === 'null';
    const any = anyValue(table, path, ofElements, (value) =>
      isNull ? nullTest(value, at, true) : meets(value, test, at),
    );
    return negated === isNull ? any : { kind: 'not', at, expr: any };
  }
  const value = column(table, first);
  if (test.kind === 'null') return nullTest(value, at, negated);
  const condition = meets(value, test, at);
  // NOT alone would drop the rows where the condition is NULL.
  return negated ? { kind: 'is', at, expr: condition, what: 'true', negated } : condition;
}

function nullTest(expr: AstExpr, at: number, negated: boolean): AstExpr {
  return { kind: 'is', at, expr, what: 'null', negated };
}

function meets(value: AstExpr, test: Test, at: number): AstExpr {
  switch (test.kind) {
    case 'compare':
      return compared(value, test.op, test.value, at);
    case 'includes':
      return compared(value, '=', test.value, at);
    case 'between': {
      const { low, high } = test;
      return { kind: 'between', at, expr: readAs(low, value), low, high, negated: false };
    }
    case 'in':
      return { kind: 'in_list', at, expr: value, items: test.values, negated: false };
    case 'null':
      return nullTest(value, at, false);
    case 'contains': {
      const position = call('strpos', at, [value, test.text]);
      return { kind: 'binary', at, op: '>', left: position, right: int(0, at) };
    }
    case 'regex':
    case 'includes_regex':
      return call('regexp_contains', at, [cast(value, 'STRING'), test.pattern]);
  }
}

function compared(value: AstExpr, op: LqlComparison, literal: AstExpr, at: number): AstExpr {
  if (op === '=' && literal.kind === 'int' && BigInt(literal.value) > Number.MAX_SAFE_INTEGER) {
    const text: AstExpr = { kind: 'string', at: literal.at, value: literal.value };
    return { kind: 'binary', at, op, left: cast(value, 'STRING'), right: text };
  }
  return { kind: 'binary', at, op, left: readAs(literal, value), right: literal };
}

/**
 * Reads a field as the type of the literal it meets. LQL writes numbers without knowing whether events
 * carry a number or its text: `m.parsed.sql_state_code:57014` is a text in every event.
 */
function readAs(literal: AstExpr, value: AstExpr): AstExpr {
  switch (literal.kind) {
    case 'int':
    case 'float':
    case 'negate':
      return asNumber(value);
    case 'bool':
      return cast(value, 'BOOL');
    default:
      return value;
  }
}
