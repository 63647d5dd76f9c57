const DAY = 86_400;

/** All times are seconds since the epoch, all offsets seconds east of UTC. */
export interface Change {
  readonly at: number;
  /** The offset that holds from then on. */
  readonly offset: number;
}

export interface History {
  /** The offset before the first change. */
  readonly first: number;
  readonly changes: readonly Change[];
}

/** No zone had an offset before railways, and no rule is known to hold after 2100. */
const FROM = Date.UTC(1800, 0, 1) / 1000;
export const HISTORY_END = Date.UTC(2100, 0, 1) / 1000;

/** The shortest time that an offset held, in any zone, was a week (America/Boa_Vista in 2000). */
const STEP = 5 * DAY;

/**
 * The offsets of a zone as Node's own time zone database has them. Takes about 40 ms.
 *
 * @returns undefined for a name that Node does not know.
 */
export function zoneHistory(name: string): History | undefined {
  const offsetAt = offsetReader(name);
  if (offsetAt === undefined) return undefined;
  const first = offsetAt(FROM);
  const changes: Change[] = [];
  let [at, offset] = [FROM, first];
  while (at < HISTORY_END) {
    const next = Math.min(at + STEP, HISTORY_END);
    if (offsetAt(next) === offset) {
      at = next;
      continue;
    }
    at = firstChange(offsetAt, at, next);
    offset = offsetAt(at);
    changes.push({ at, offset });
  }
  return { first, changes };
}

/** The second in which the offset is no longer what it was at `from`. */
function firstChange(offsetAt: (at: number) => number, from: number, to: number): number {
  const before = offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}

const OFFSET = /GMT(?:([+-])(\d+)(?::(\d+))?(?::(\d+))?)?$/;

function offsetReader(timeZone: string): ((at: number) => number) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return (at) => {
    const text = format.format(at * 1000);
    const match = OFFSET.exec(text);
    if (match === null) throw new Error(`${timeZone}: ${text} names no offset`);
    const [hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0));
    const offset = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
    return match[1] === '-' ? -offset : offset;
  };
}
