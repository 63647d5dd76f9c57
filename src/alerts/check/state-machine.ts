import { type Alert, type Finding, type Problem, problemOf, type Status } from '../model/alert.ts';
import type { AlertState } from '../model/record.ts';
import { MINUTE_MS } from './schedule.ts';

/** What follows from a check. */
export interface Step {
  readonly state: AlertState;
  /** What people are to be told now. */
  readonly notify: Problem | 'resolved' | null;
}

/** Failed checks in a row after which an alert is in error, where the next may succeed. */
export const MAX_FAILURES = 3;

/** The state of an alert whose definition was changed: counts begin anew, and what was told stays told. */
export function restarted(state: AlertState): AlertState {
  return { ...state, breaches: 0, failures: 0 };
}

/** What a check makes of an alert. */
export function advance(
  state: AlertState,
  finding: Finding,
  alert: Pick<Alert, 'for_checks' | 'repeat_minutes' | 'muted_until'>,
  now: number,
): Step {
  const counted = count(state, finding);
  const status = statusOf(counted, finding, alert.for_checks);
  const since = status === state.status ? state.since : now;
  const next = { ...counted, status, since };
  if (alert.muted_until !== null && now < Date.parse(alert.muted_until)) {
    return { state: next, notify: null };
  }
  const notify = due(next, alert, now);
  if (notify === null) return { state: next, notify };
  return {
    state: { ...next, told: notify === 'resolved' ? null : { problem: notify, at: now } },
    notify,
  };
}

function count(state: AlertState, { outcome }: Finding): AlertState {
  switch (outcome) {
    case 'breach':
      return { ...state, breaches: state.breaches + 1, failures: 0 };
    case 'clear':
      return { ...state, breaches: 0, failures: 0 };
    case 'no_data':
      return { ...state, failures: 0 };
    case 'error':
      return { ...state, failures: state.failures + 1 };
  }
}

function statusOf(
  { status, breaches, failures }: AlertState,
  { outcome, isTemporary }: Finding,
  forChecks: number,
): Status {
  switch (outcome) {
    case 'breach':
      return breaches >= forChecks ? 'firing' : 'pending';
    case 'clear':
      return status === 'firing' ? 'resolved' : 'ok';
    case 'no_data':
      return 'no_data';
    case 'error':
      return isTemporary && failures < MAX_FAILURES ? status : 'error';
  }
}

/**
 * What people were told has to be what is so: the targets that were told of a problem are told when it is another one
 * or over, and of one that lasts again after the repeat interval. A mute puts that off until it ends.
 */
function due(
  { status, told }: AlertState,
  { repeat_minutes }: Pick<Alert, 'repeat_minutes'>,
  now: number,
): Step['notify'] {
  const problem = problemOf(status);
  if (problem === null) return told === null ? null : 'resolved';
  if (told?.problem !== problem) return problem;
  const isRepeated = repeat_minutes !== null && now - told.at >= repeat_minutes * MINUTE_MS;
  return isRepeated ? problem : null;
}
