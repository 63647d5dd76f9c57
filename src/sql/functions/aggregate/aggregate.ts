/** Building blocks of aggregate and window functions. */
import { isConst } from '../../ir/expr-builders.ts';
import type { AggregateTemplate } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { NULL, type SqlType } from '../../ir/types.ts';
import type { FunctionDoc } from '../common/doc.ts';
import { type AggregateFunction, type ParameterKind, tail } from '../common/function.ts';

/** The result has the type of the first argument. */
export const firstType = (types: readonly SqlType[]): SqlType => types[0] ?? NULL;
export const always = (type: SqlType) => (): SqlType => type;

/** For aggregates whose further arguments are printed as what they are. */
export const othersConstant = ([, ...others]: readonly Expr[]): string | undefined =>
  others.every((arg) => isConst(arg) && arg.value !== null)
    ? undefined
    : 'all arguments but the first must be constants, and not NULL';

/** An engine's aggregate with the same arguments. */
export function plain(engineName: string): AggregateTemplate {
  return (parts) =>
    `${engineName}(${parts.distinct ? 'DISTINCT ' : ''}${parts.args.join(', ')})${tail(parts)}`;
}

export function aggregate(
  name: string,
  doc: FunctionDoc,
  parameters: readonly ParameterKind[],
  result: AggregateFunction['result'],
  athena: AggregateTemplate,
  duckdb: AggregateTemplate = athena,
): AggregateFunction {
  return { name, doc, parameters, required: parameters.length, result, athena, duckdb };
}
