/**
 * A value of Trino as the text in which Athena gives it.
 *
 * @param type Trino's name of the type, without lengths
 * @throws Error for types of which it is not known how Athena writes them.
 */
export function athenaText(type: string, text: string | null): string | null {
  if (text === null) return null;
  if (AS_IT_IS.has(type)) return text;
  if (type === 'double' || type === 'real') return javaDouble(Number(text));
  throw new Error(`How Athena writes ${type} is not known here.`);
}

const AS_IT_IS = new Set([
  'boolean',
  'tinyint',
  'smallint',
  'integer',
  'bigint',
  'decimal',
  'varchar',
  'char',
  'date',
]);

/** As Java's `Double.toString`: plain from a thousandth to ten million, else with an exponent. */
function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) return withFraction(String(value));
  const [digits = '', exponent] = value.toExponential().split('e');
  return `${withFraction(digits)}E${Number(exponent)}`;
}

function withFraction(digits: string): string {
  return digits.includes('.') ? digits : `${digits}.0`;
}
