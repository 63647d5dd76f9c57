const MOST_DIGITS = 17;
const USUAL_DIGITS = 15;

/**
 * A FLOAT64 as CAST(.. AS STRING) writes it: see `print/float-text.ts`, which has the same rules for
 * values that only the engines know.
 */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (value === 0) return '0';
  const [mantissa = '', exponentText = ''] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  const sign = value < 0 ? '-' : '';
  if (exponent < -4 || exponent >= (digits.length > USUAL_DIGITS ? MOST_DIGITS : USUAL_DIGITS)) {
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

/** The whole number, decimal or `0x..`, that a text says, as CAST(.. AS INT64) reads it. */
export function readInteger(text: string): bigint | undefined {
  const match = /^[ \t-\r]*([+-]?)(0[xX][0-9a-fA-F]+|[0-9]+)[ \t-\r]*$/.exec(text);
  if (match?.[2] === undefined) return undefined;
  const value = match[1] === '-' ? -BigInt(match[2]) : BigInt(match[2]);
  return value >= LEAST && value <= GREATEST ? value : undefined;
}

/** The number that a text says, `inf` and `nan` included, as CAST(.. AS FLOAT64) reads it. */
export function readFloat(text: string): number | undefined {
  const core = text.replace(/^[ \t-\r]+|[ \t-\r]+$/g, '');
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(core)) return Number(core);
  const named = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i.exec(core);
  if (named === null) return undefined;
  return named[2] === undefined ? Number.NaN : named[1] === '-' ? -Infinity : Infinity;
}
