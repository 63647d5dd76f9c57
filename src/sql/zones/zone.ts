import type { History } from './changes.ts';
import { cycleOf } from './cycle.ts';

const SECOND_US = 1_000_000n;
const MINUTE_US = 60n * SECOND_US;

/**
 * A time zone as a table of its offsets. Both engines are given the table instead of the zone's name:
 * their time zone databases are not of one age, and neither has BigQuery's rule for civil times that
 * do not exist or exist twice. Times and offsets are microseconds.
 */
export interface Zone {
  readonly name: string;
  /** By instant. */
  readonly instants: Steps;
  /** By civil time, as BigQuery means those that do not exist or exist twice. */
  readonly civils: Steps;
}

/** A function of time that is constant between changes. */
export interface Steps {
  /** Times from which on the next offset holds, ascending. */
  readonly from: readonly bigint[];
  /** Offsets east of UTC, one more than there are changes. */
  readonly offsets: readonly bigint[];
  /** From when on an offset is that of a number of cycles before. */
  readonly cycle: { readonly from: bigint; readonly length: bigint } | undefined;
}

/** A zone that never changes. */
export function fixedZone(name: string, offset: bigint): Zone {
  const steps: Steps = { from: [], offsets: [offset], cycle: undefined };
  return { name, instants: steps, civils: steps };
}

export const UTC: Zone = fixedZone('UTC', 0n);

/** The zone of a history, in seconds. */
export function zoneFrom(name: string, { first, changes }: History): Zone {
  const found = cycleOf(changes);
  const kept = changes.filter(({ at }) => found === undefined || at < found.from);
  const offsets = [first, ...kept.map(({ offset }) => offset)];
  // A civil time that a change skips or repeats is read with the offset before the change. So the
  // next offset is meant from the later one of the two civil times that the change has.
  const civil = kept.map(({ at, offset }, i) => at + Math.max(offset, offsets[i] ?? offset));
  const micros = (seconds: number): bigint => BigInt(seconds) * SECOND_US;
  const cycle = found && { from: micros(found.from), length: micros(found.length) };
  const shared = { offsets: offsets.map(micros), cycle };
  return {
    name,
    instants: { ...shared, from: kept.map(({ at }) => micros(at)) },
    civils: { ...shared, from: civil.map(micros) },
  };
}

/** The civil time that clocks of a zone show at an instant. */
export function civilIn(zone: Zone, instant: bigint): bigint {
  return instant + offsetAt(zone.instants, instant);
}

/** The instant at which clocks of a zone show a civil time. */
export function instantIn(zone: Zone, civil: bigint): bigint {
  return civil - offsetAt(zone.civils, civil);
}

/** The offset at a time, an instant or a civil time. */
export function offsetAt(steps: Steps, time: bigint): bigint {
  const { cycle } = steps;
  const folded =
    cycle !== undefined && time >= cycle.from
      ? cycle.from - cycle.length + ((time - cycle.from) % cycle.length)
      : time;
  return steps.offsets[stepAt(steps, folded)] ?? 0n;
}

/** How many changes lie at or before a time. */
export function stepAt({ from }: Steps, time: bigint): number {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((from[middle] ?? time) <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The zone's offsets as texts show them: without the seconds that local mean times had. */
export function inMinutes(zone: Zone): Zone {
  const offsets = zone.instants.offsets.map((offset) => offset - (offset % MINUTE_US));
  return { ...zone, instants: { ...zone.instants, offsets } };
}

export function isUtc({ instants }: Zone): boolean {
  return instants.from.length === 0 && instants.offsets[0] === 0n;
}
