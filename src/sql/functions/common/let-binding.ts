import type { SqlTarget } from '../../common/result-schema.ts';

/** A column, or a variable: cheap to say twice. */
const NAME = /^[A-Za-z_]\w*(?:\.\w+)?(?:\[\d+\])?$/;

/** Whether a printed expression is no more than a name. */
export function isName(printed: string): boolean {
  return NAME.test(printed);
}

/**
 * Prints an expression that needs a value in several places, the value itself once: as the variable of
 * a lambda. Where expressions lie within each other this keeps the text from doubling at every step.
 *
 * @param body Says no other column: DuckDB finds none of an outer query from inside of a lambda.
 */
export function letBinding(
  engine: SqlTarget,
  value: string,
  variable: string,
  body: (name: string) => string,
): string {
  return isName(value) ? body(value) : bind(engine, value, variable, body(variable));
}

/** Of a lambda whose body has nothing from outside of it: another of the same name can stand inside. */
const VARIABLE = 'v';

/** The same for several values, each of which is evaluated outside of the lambda. */
export function letBindings(
  engine: SqlTarget,
  values: readonly string[],
  body: (names: readonly string[]) => string,
): string {
  const [first] = values;
  if (first === undefined) return body([]);
  if (values.length === 1) return bind(engine, first, VARIABLE, body([VARIABLE]));
  // The members of a row without names are counted from 1 in both engines.
  const names = values.map((_, index) => `${VARIABLE}[${index + 1}]`);
  return bind(engine, `ROW(${values.join(', ')})`, VARIABLE, body(names));
}

function bind(engine: SqlTarget, value: string, variable: string, body: string): string {
  return engine === 'athena'
    ? `TRANSFORM(ARRAY[${value}], ${variable} -> ${body})[1]`
    : `LIST_TRANSFORM([${value}], lambda ${variable}: ${body})[1]`;
}
