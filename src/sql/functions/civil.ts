/**
 * Bridges between microseconds since the epoch and the engines' own timestamps, for what only those
 * can do: calendars and formats.
 */
export const civilFromUs = {
  /** timestamp(6); from_unixtime_nanos is in UTC. */
  athena: (us: string) => `CAST(FROM_UNIXTIME_NANOS(${us} * BIGINT '1000') AS TIMESTAMP(6))`,
  duckdb: (us: string) => `MAKE_TIMESTAMP(${us})`,
};

export const usFromCivil = {
  /**
   * to_unixtime gives seconds as a double. A double near 1.7e9 steps by 2.4e-7 s, less than half a
   * microsecond, so rounding finds the exact microsecond until the year 2242.
   */
  athena: (civil: string) => `CAST(ROUND(TO_UNIXTIME(${civil}) * 1E6) AS BIGINT)`,
  duckdb: (civil: string) => `EPOCH_US(${civil})`,
};
