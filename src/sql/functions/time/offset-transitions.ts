import { DAY_US, truncate } from '../../ir/time.ts';
import { civilIn, instantIn, offsetAt, type Steps, type Zone } from '../../zones/zone.ts';

/** At least as long as any part of the calendar, and shorter than two. */
const SPANS: Readonly<Record<string, bigint>> = { DAY: 1n, MONTH: 31n, QUARTER: 92n, YEAR: 366n };
const WEEK = 7n;
const YEAR_US = 366n * DAY_US;

/**
 * The offset that is meant by the start of the part of the calendar that an instant lies in, by the
 * instant. It often is not the offset at the instant itself: clocks may have been set since.
 */
export function startOffsets(zone: Zone, unit: string): Steps {
  const offset = (instant: bigint): bigint => {
    const start = truncate(civilIn(zone, instant), unit) ?? 0n;
    return start - instantIn(zone, start);
  };
  // Starts repeat later than offsets do: that of a year may lie before the first one that repeats.
  const { cycle: repeats } = zone.instants;
  const cycle = repeats && { ...repeats, from: repeats.from + 2n * YEAR_US };
  const again = (times: readonly bigint[]): readonly bigint[] =>
    repeats === undefined ? times : [...times, ...times.map((time) => time + repeats.length)];
  const changes = [
    ...again(zone.instants.from),
    ...again(zone.civils.from).flatMap((civil) => instantsOf(zone, firstStart(civil, unit))),
  ];
  const ordered = [...new Set(changes)]
    .filter((at) => cycle === undefined || at < cycle.from)
    .toSorted((a, b) => (a < b ? -1 : 1));
  const from: bigint[] = [];
  const offsets = [zone.civils.offsets[0] ?? 0n];
  for (const at of ordered) {
    const next = offset(at);
    if (next !== offsets.at(-1)) {
      from.push(at);
      offsets.push(next);
    }
  }
  return { from, offsets, cycle };
}

/** The first start of a part at or after a civil time. */
function firstStart(civil: bigint, unit: string): bigint {
  const start = truncate(civil, unit) ?? civil;
  return start === civil
    ? civil
    : (truncate(start + (SPANS[unit] ?? WEEK) * DAY_US, unit) ?? civil);
}

/** When clocks show a civil time, for the first and for the second time if they do it twice. */
function instantsOf(zone: Zone, civil: bigint): bigint[] {
  const days = [civil - 2n * DAY_US, civil + 2n * DAY_US];
  return days.map((day) => civil - offsetAt(zone.instants, day));
}
