import type { Clock } from '../../../src/platform/clock.ts';

/** Milliseconds that the clock is ahead of the machine's; where it stands still, or -1 if it does not. */
const AHEAD = 0;
const STOPPED_AT = 1;

const machineNow = Date.now;

/** Reads the time out of a {@link ChainClock}'s memory, in whichever thread. */
export function timeIn(memory: SharedArrayBuffer): () => number {
  const times = new BigInt64Array(memory);
  return () => {
    const stoppedAt = Number(Atomics.load(times, STOPPED_AT));
    return (stoppedAt < 0 ? machineNow() : stoppedAt) + Number(Atomics.load(times, AHEAD));
  };
}

/**
 * The one time of a chain: of its functions, each in a thread of its own, and of its stand-ins. It goes
 * with the machine's, or stands still, and in both cases can be moved forward.
 */
export class ChainClock implements Clock {
  readonly memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);
  readonly now = timeIn(this.memory);
  readonly isStopped: boolean;

  /** @param stoppedAt ISO 8601 text of the time at which it stands still. */
  constructor(stoppedAt?: string) {
    this.isStopped = stoppedAt !== undefined;
    const at = stoppedAt === undefined ? -1 : Date.parse(stoppedAt);
    Atomics.store(new BigInt64Array(this.memory), STOPPED_AT, BigInt(at));
  }

  advance(ms: number): void {
    Atomics.add(new BigInt64Array(this.memory), AHEAD, BigInt(ms));
  }
}
