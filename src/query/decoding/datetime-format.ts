const MICROS_PER_SECOND = 1_000_000n;

/**
 * Civil time as BigQuery prints a DATETIME: `YYYY-MM-DDTHH:MM:SS`, with six digits of fraction where
 * there is one.
 *
 * @param micros microseconds since 1970-01-01T00:00:00 of the same calendar; years 0 to 9999.
 */
export function civilText(micros: bigint): string {
  const fraction = ((micros % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND;
  const seconds = (micros - fraction) / MICROS_PER_SECOND;
  const text = new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
  return fraction === 0n ? text : `${text}.${fraction.toString().padStart(6, '0')}`;
}
