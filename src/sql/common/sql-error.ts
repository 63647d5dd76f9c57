import { ServiceError } from '../../platform/errors.ts';

/**
 * A text that cannot be compiled. `code` is one of
 * `sql_syntax`, `sql_unsupported`, `sql_unknown_table`, `sql_unknown_column`, `sql_unknown_function`,
 * `sql_type`, `sql_not_select`, `sql_multiple_statements`, `sql_empty`, `sql_too_large`,
 * `sql_wildcard`.
 */
export class SqlError extends ServiceError {
  /** 1-based position in the text, absent when the text as a whole is at fault. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(code: string, message: string, position?: { line: number; column: number }) {
    super(
      code,
      400,
      position ? `${message} (line ${position.line}, column ${position.column})` : message,
    );
    this.line = position?.line;
    this.column = position?.column;
  }
}
