/** How much one request may hold. */
import { ServiceError } from '../../../../platform/errors.ts';

/**
 * Messages and numbers in lists. A span takes 270 bytes of memory, a number 25, and both can be
 * had for two bytes of a body: 20 MiB of them would take 2.8 GB. Twenty MiB of real log records hold
 * 1.3 million.
 */
export const MAX_REQUEST_VALUES = 2_000_000;

/** The shortest message takes two bytes: its tag, and its length of 0. So does `0,` in JSON. */
const MIN_PART_BYTES = 2;

/** Whether a body is long enough to hold too much; if not, there is no need to count. */
export function mayHoldTooMuch(bytes: Uint8Array): boolean {
  return bytes.length > MAX_REQUEST_VALUES * MIN_PART_BYTES;
}

/** The answer to more than {@link MAX_REQUEST_VALUES}. */
export function tooManyValues(): ServiceError {
  return new ServiceError(
    'too_many_values',
    413,
    `The request holds more than ${MAX_REQUEST_VALUES} records, attributes and numbers, which is the most. ` +
      'Split it into several requests.',
  );
}
