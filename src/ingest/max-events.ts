/** How many events one request may have. */
import { ServiceError } from '../errors.ts';

/**
 * Events of one request. A stored row takes some 250 bytes more than its event, so `{},{},{}` would
 * grow a hundredfold; real batches of this many events are beyond the limit on bytes.
 */
export const MAX_EVENTS = 100_000;

export function tooManyEvents(): ServiceError {
  return new ServiceError(
    'too_many_events',
    413,
    `The request has more than ${MAX_EVENTS} events. Split it into several requests.`,
  );
}
