import { ServiceError } from '../platform/errors.ts';
import type { Clock, Logger, QueryEngine } from '../ports.ts';
import type { Flight } from './flight.ts';
import { CALL_DEADLINE_MS, LAST_MOMENT_MS, RUN_LIMIT_MS } from './limits.ts';
import type { ResultStore } from './result-store.ts';

export interface DepartureDeps {
  readonly engine: Pick<QueryEngine, 'runsApart'>;
  readonly results: ResultStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Whose rows a flight brings. */
export interface Departing {
  readonly key: string;
  /** See `LeftRun`. */
  readonly lifetimeMs: number;
}

/**
 * What becomes of a caller whose wait ended with an error. When its time was up, the run is left to
 * whoever asks next, in any process, and to the engine's word of its end.
 *
 * The run is noted before its state is looked at: either this look sees that it has ended, or its end
 * comes later and finds the note. A run that has just ended is waited for a moment longer, since nobody
 * will be told of it any more.
 *
 * @param error what the wait ended with.
 * @throws `error`, or ServiceError `query_queued` (504) or `engine_throttled` (503) where that is why
 *   there are no rows yet.
 */
export async function depart<T>(
  call: Departing,
  flight: Flight<T>,
  error: unknown,
  deps: DepartureDeps,
): Promise<T> {
  if (flight.settled) throw error;
  if (flight.leftBehind) await leaveBehind(call, flight, deps);
  const { startedAt, run } = flight;
  if (startedAt === undefined) throw error;
  if (run === undefined) throw deps.engine.runsApart ? notStarted() : error;
  const state = await run.engine.state();
  if (state === 'queued') throw stillQueued();
  if (state === 'ended') return flight.wait(deps.clock.now() + LAST_MOMENT_MS);
  throw error;
}

/** Lets others take over a run that goes on. */
export async function leaveBehind(
  { key, lifetimeMs }: Departing,
  flight: Flight<unknown>,
  { results, logger }: DepartureDeps,
): Promise<void> {
  const { startedAt, run } = flight;
  if (startedAt === undefined || !flight.leave()) return;
  await results.leases.leave(key, startedAt, run?.engine.id);
  if (run === undefined) return;
  const { engine, text, columns, usage } = run;
  try {
    const left = { id: engine.id, key, startedAt, lifetimeMs, text, columns, usage };
    if (await results.left.note(left)) return;
    logger.warn('a run that goes on is too large to be noted', { key });
  } catch (error) {
    // The next caller picks the run up all the same.
    logger.warn('a run that goes on could not be noted', { key, error });
  }
}

function stillQueued(): ServiceError {
  return new ServiceError(
    'query_queued',
    504,
    `The query has waited ${CALL_DEADLINE_MS / 1_000} seconds for a free place in the query engine, ` +
      'which is busy with others, and goes on waiting. Send the same request again to get its ' +
      `result: it is kept for you until ${RUN_LIMIT_MS / 60_000} minutes after the first one.`,
    { retryAfterSeconds: 15 },
  );
}

function notStarted(): ServiceError {
  return new ServiceError(
    'engine_throttled',
    503,
    `The query engine has taken no new query for ${CALL_DEADLINE_MS / 1_000} seconds, because too ` +
      'many are running. Send this one again shortly.',
    { retryAfterSeconds: 15 },
  );
}
