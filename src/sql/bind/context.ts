import { sqlErrorAt } from '../common/position.ts';
import type { SqlError } from '../common/sql-error.ts';
import type { Expr } from '../ir/ir.ts';
import type { AstWindow } from '../parse/ast.ts';
import type { CompileContext, TableEnvironment } from './environment.ts';
import type { Scope } from './scope.ts';

/** Where an expression stands: its text, what names mean there, and what is allowed there. */
export interface BindContext {
  readonly compile: CompileContext;
  /** The text that offsets point into: the endpoint's or the consumer's. */
  readonly text: string;
  readonly environment: TableEnvironment;
  readonly scope: Scope;
  /** Select-list aliases, where they may be used (GROUP BY, HAVING, QUALIFY, ORDER BY). */
  readonly aliases?: ReadonlyMap<string, Expr>;
  /** Windows that the SELECT names, by lower-case name. */
  readonly windows?: ReadonlyMap<string, AstWindow>;
  /** In a FULL JOIN's sides: every unnested object is a row of its own. */
  readonly joinObjects?: true;
  /** Why an aggregate may not stand here; undefined where it may. */
  readonly noAggregates?: string;
  /** Why a window function may not stand here; undefined where it may. */
  readonly noWindows?: string;
}

export function fail(ctx: BindContext, at: number, code: string, message: string): SqlError {
  return sqlErrorAt(ctx.text, at, code, message);
}
