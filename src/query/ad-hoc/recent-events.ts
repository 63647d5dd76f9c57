import type { Source } from '../../catalog/types.ts';
import type { ResultRow } from '../decoding/decode.ts';
import type { EndpointCall, EndpointService } from '../endpoint-service.ts';
import { newestCall } from './ad-hoc-call.ts';

const MINUTE_US = 60_000_000;
const HOUR_US = 60 * MINUTE_US;
const DAY_US = 24 * HOUR_US;

/** Events may be an hour ahead of the clock; what is beyond was refused. */
const AHEAD_US = 2 * HOUR_US;

/**
 * How far each look goes back. A busy source answers from the newest files alone; each look begins where
 * the one before ended, so that nothing is read twice.
 */
const LOOKS_US = [15 * MINUTE_US, 6 * HOUR_US, 3 * DAY_US, 30 * DAY_US];

export interface RecentEvents {
  readonly source: Source;
  /** Filters; the empty text has none. */
  readonly lql: string;
  /** How many events at most. */
  readonly rows: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The newest events of the last 30 days, the newest first.
 *
 * @throws ServiceError as {@link EndpointService.run}.
 */
export async function recentEvents(
  { source, lql, rows, now }: RecentEvents,
  runner: Pick<EndpointService, 'run'>,
  caller: Pick<EndpointCall, 'keyId' | 'gone' | 'deadline'>,
): Promise<readonly ResultRow[]> {
  // Calls of the same minute ask the same, so that one that was sent away finds its rows when it comes again.
  const minute = Math.floor(now / 60_000) * MINUTE_US;
  const found: ResultRow[] = [];
  let to = minute + AHEAD_US;
  for (const lookUs of LOOKS_US) {
    const from = minute - lookUs;
    const { endpoint, input } = newestCall(source, { from, to, lql, rows: rows - found.length });
    const answer = await runner.run(endpoint, {
      ...caller,
      input,
      redact: false,
      origin: 'query',
      newest: true,
    });
    found.push(...answer.rows);
    if (found.length >= rows) break;
    to = from;
  }
  return found;
}
