/** Hours and days of the lake, all UTC, as milliseconds since the epoch. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Start of the hour that an instant lies in. */
export function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}

/** `yyyy-MM-dd` of an instant. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** End of a day `yyyy-MM-dd`. */
export function endOfDay(day: string): number {
  return Date.parse(day) + DAY_MS;
}
