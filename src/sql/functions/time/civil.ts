import { letBinding } from '../common/let-binding.ts';

/**
 * Bridges between microseconds since the epoch and the engines' own timestamps, for what only those
 * can do: calendars and formats.
 */
export const civilFromUs = {
  /** timestamp(6); from_unixtime_nanos is in UTC. As BIGINTs, nanoseconds would end in the year 2262. */
  athena: (us: string) =>
    `CAST(FROM_UNIXTIME_NANOS(CAST(${us} AS DECIMAL(38, 0)) * 1000) AS TIMESTAMP(6))`,
  duckdb: (us: string) => `MAKE_TIMESTAMP(${us})`,
};

export const usFromCivil = {
  /**
   * Of a timestamp(6). to_unixtime gives seconds as a double, which is exact for whole ones only (and
   * after 2038 misses the last digit of a microsecond), so the six digits are read from the text.
   */
  athena: (civil: string) =>
    letBinding(
      'athena',
      civil,
      't',
      (t) =>
        `(${wholeUsFromCivil.athena(`DATE_TRUNC('second', ${t})`)} + CAST(SUBSTR(CAST(${t} AS VARCHAR), -6) AS BIGINT))`,
    ),
  duckdb: (civil: string) => `EPOCH_US(${civil})`,
};

/** The same for times that are whole seconds, such as starts of months and days. */
export const wholeUsFromCivil = {
  athena: (civil: string) => `(CAST(TO_UNIXTIME(${civil}) AS BIGINT) * 1000000)`,
  duckdb: usFromCivil.duckdb,
};

const inSecond = (us: string): string => `((${us} % 1000000 + 1000000) % 1000000)`;

/** The whole second of an instant. Trino's date_format rounds to milliseconds, and so could reach the next. */
export function wholeSecond(us: string): string {
  return `(${us} - ${inSecond(us)})`;
}

/** The six digits behind the second. */
export function secondFraction(us: string): string {
  return `LPAD(CAST(${inSecond(us)} AS VARCHAR), 6, '0')`;
}

/** `.123456` without what is zero: in groups of three, as BigQuery casts a time to text. */
export function shortFraction(us: string): string {
  return `CASE WHEN ${us} % 1000000 = 0 THEN '' WHEN ${us} % 1000 = 0 THEN '.' || SUBSTR(${secondFraction(us)}, 1, 3) ELSE '.' || ${secondFraction(us)} END`;
}
