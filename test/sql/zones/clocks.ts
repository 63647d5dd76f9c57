/** Time zones as `Intl` shows them, to compare with what the compiler makes of them. */

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

/** The clocks of one zone; times are microseconds. */
export class Clocks {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** Civil time at an instant. */
  civil(us: bigint): bigint {
    const fraction = ((us % SECOND) + SECOND) % SECOND;
    const parts = this.#format.formatToParts(Number((us - fraction) / 1000n));
    const part = (type: string): number =>
      Number(parts.find((candidate) => candidate.type === type)?.value);
    const civil = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return BigInt(civil) * 1000n + fraction;
  }

  offset(us: bigint): bigint {
    return this.civil(us) - us;
  }

  /**
   * The instant of a civil time: the first of two, and where there is none, what the offset before the
   * change says. No two changes are within a week of each other, none is of more than a day.
   */
  instant(civil: bigint): bigint {
    const before = civil - this.offset(civil - 2n * DAY);
    const after = civil - this.offset(civil + 2n * DAY);
    return this.civil(before) === civil || this.civil(after) !== civil ? before : after;
  }

  /** Changes of the offset between two years, microseconds. */
  changes(fromYear: number, toYear: number): bigint[] {
    const found: bigint[] = [];
    const end = BigInt(Date.UTC(toYear, 0)) * 1000n;
    for (let at = BigInt(Date.UTC(fromYear, 0)) * 1000n; at < end; at += 4n * DAY) {
      if (this.offset(at) !== this.offset(at + 4n * DAY)) {
        found.push(this.#change(at, at + 4n * DAY));
      }
    }
    return found;
  }

  #change(from: bigint, to: bigint): bigint {
    const before = this.offset(from);
    let [low, high] = [from, to];
    while (high - low > SECOND) {
      const middle = low + ((high - low) / 2n / SECOND) * SECOND;
      [low, high] = this.offset(middle) === before ? [middle, high] : [low, middle];
    }
    return high;
  }
}

/** The start, in civil time, of the part of the calendar that a civil time lies in. */
export function civilStart(
  civil: bigint,
  part: 'day' | 'week' | 'month' | 'quarter' | 'year',
): bigint {
  const day = civil - (((civil % DAY) + DAY) % DAY);
  const date = new Date(Number(day / 1000n));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (part) {
    case 'day':
      return day;
    case 'week':
      return day - BigInt(date.getUTCDay()) * DAY;
    case 'month':
      return BigInt(Date.UTC(year, month)) * 1000n;
    case 'quarter':
      return BigInt(Date.UTC(year, month - (month % 3))) * 1000n;
    case 'year':
      return BigInt(Date.UTC(year, 0)) * 1000n;
  }
}
