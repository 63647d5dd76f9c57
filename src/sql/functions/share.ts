import type { SqlTarget } from '../output.ts';

/** A column, or a variable: cheap to say twice. */
const NAME = /^[A-Za-z_]\w*(?:\.\w+)?$/;

/**
 * Prints an expression that needs a value in several places, the value itself once: as the variable of
 * a lambda. Where expressions lie within each other this keeps the text from doubling at every step.
 */
export function share(
  engine: SqlTarget,
  value: string,
  variable: string,
  body: (name: string) => string,
): string {
  if (NAME.test(value)) {
    return body(value);
  }
  return engine === 'athena'
    ? `TRANSFORM(ARRAY[${value}], ${variable} -> ${body(variable)})[1]`
    : `LIST_TRANSFORM([${value}], lambda ${variable}: ${body(variable)})[1]`;
}
