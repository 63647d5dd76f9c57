/**
 * What fast decoders have in common. They read requests as exporters write them, without the messages
 * that protobuf-es makes of them, and give up at anything else: protobuf-es then reads the request
 * from its start, and decides what is accepted and what is refused.
 */

/** Levels of values within values that are read here; real ones have two or three. */
export const FAST_LEVELS = 16;

class NotFast extends Error {}

/** Thrown by fast decoders; always the same, because giving up is no fault and needs no stack trace. */
export const NOT_FAST: Error = new NotFast('not for a fast decoder');

/** What a fast decoder gives; undefined where it gives up. */
export function orFallback<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error === NOT_FAST) return undefined;
    throw error;
  }
}
