import * as z from 'zod/mini';
import { ServiceError } from '../../platform/errors.ts';
import { DAY_MS, HOUR_MS } from './hours.ts';

const FailedStep = z.object({
  /** Failures in a row. */
  times: z.number(),
  /** Of the last one: a `ServiceError`'s, else `internal_error`. */
  code: z.string(),
  /** Not before this time is it tried again; milliseconds since the epoch. */
  retryAt: z.number(),
});

/** Steps of maintenance that failed when they were tried last, by name. */
export const FailedSteps = z.record(z.string(), FailedStep);
export type FailedSteps = Readonly<Record<string, Readonly<z.output<typeof FailedStep>>>>;

const FIRST_RETRY_MS = HOUR_MS;
/** At least one attempt a day, as long as it takes. */
const LAST_RETRY_MS = DAY_MS;

/**
 * Notes that are kept, of some 100 bytes each, in an item of at most 400 KB. Those that are due first go: such a
 * step is tried by the next run, which notes it again.
 */
const MAX_NOTES = 100;

/** Failures that are listed in a line of the log. */
const MAX_LISTED = 10;

/** Errors that are not of a step: time is over, another run goes on, or nothing can be noted. */
const ENDS_RUN = new Set([
  'query_timeout',
  'engine_throttled',
  'compaction_conflict',
  'registry_unavailable',
]);

/** Whether a run ends with this error, as against going on with what does not need the step that failed. */
export function endsRun(error: unknown): boolean {
  return error instanceof ServiceError && ENDS_RUN.has(error.code);
}

export function isWaiting(steps: FailedSteps, name: string, now: number): boolean {
  const step = steps[name];
  return step !== undefined && now < step.retryAt;
}

/** The steps after one of them failed, or failed again: the pause doubles from an hour to a day. */
export function withFailure(
  steps: FailedSteps,
  name: string,
  error: unknown,
  now: number,
): FailedSteps {
  const times = (steps[name]?.times ?? 0) + 1;
  const code = error instanceof ServiceError ? error.code : 'internal_error';
  const pauseMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (times - 1));
  const failed = { ...steps, [name]: { times, code, retryAt: now + pauseMs } };
  const kept = Object.entries(failed).sort(([, a], [, b]) => b.retryAt - a.retryAt);
  return Object.fromEntries(kept.slice(0, MAX_NOTES));
}

export function without(steps: FailedSteps, name: string): FailedSteps {
  const { [name]: _, ...others } = steps;
  return others;
}

/** What a line of the log says of them: how many there are, and those that failed most often. */
export function describeFailures(steps: FailedSteps) {
  const worst = Object.entries(steps).sort(([, a], [, b]) => b.times - a.times);
  return {
    failingSteps: worst.length,
    /** The metric `MaintenanceFailures`. */
    mostFailures: worst[0]?.[1].times ?? 0,
    failing: worst.slice(0, MAX_LISTED).map(([step, { times, code, retryAt }]) => ({
      step,
      times,
      code,
      retryAt: new Date(retryAt).toISOString(),
    })),
  };
}
