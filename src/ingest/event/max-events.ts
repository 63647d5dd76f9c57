/** How many events one request may have. */
import { ServiceError } from '../../platform/errors.ts';

/**
 * Events of one request. A stored row takes some 250 bytes more than its event, so `{},{},{}` would
 * grow a hundredfold; real batches of this many events are beyond the limit on bytes.
 */
export const MAX_EVENTS = 100_000;

/** The answer to more than {@link MAX_EVENTS}. */
export function tooManyEvents(): ServiceError {
  return new ServiceError(
    'too_many_events',
    413,
    `The request has more than ${MAX_EVENTS} events, which is the most. Split it into several requests.`,
  );
}
