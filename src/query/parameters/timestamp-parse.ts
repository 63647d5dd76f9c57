/** A space may stand for the `+` of an offset: that is what an unencoded one becomes in a URL. */
const ISO =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)? ?(?:[Zz]|([+ -])(\d\d)(?::?(\d\d))?)$/;

const INTEGER = /^-?\d{1,18}$/;

/** BigQuery's TIMESTAMP begins with the year 1 and ends with 9999. Microseconds. */
const FIRST = -62_135_596_800_000_000;
const END = 253_402_300_800_000_000;

/**
 * Reads an ISO 8601 time with `Z` or an offset, or an integer of microseconds since the epoch.
 * Digits beyond microseconds are cut off.
 *
 * @returns microseconds since the epoch, or undefined when the text is neither.
 */
export function parseTimestamp(text: string): number | undefined {
  const micros = INTEGER.test(text) ? Number(text) : isoMicros(text);
  return micros !== undefined && micros >= FIRST && micros < END ? micros : undefined;
}

function isoMicros(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, date, time, seconds = '00', fraction = '', sign, hours = '0', minutes = '0'] = match;
  const civil = `${date}T${time}:${seconds}`;
  const ms = Date.parse(`${civil}Z`);
  // JavaScript reads February 30 as March 1 and 24:00 as the next day; neither is what was meant.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(civil)) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return (ms - offsetMs) * 1_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}
