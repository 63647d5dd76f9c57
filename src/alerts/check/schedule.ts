import { Cron } from 'croner';
import type { Alert } from '../model/alert.ts';

export const MINUTE_MS = 60_000;

/** When an alert is checked. */
export type Schedule = Pick<Alert, 'cron' | 'timezone' | 'every_minutes'>;

/** Longest text of a cron expression; lists of all minutes and hours fit. */
export const MAX_CRON_LENGTH = 200;

/**
 * The first time of a schedule after another one.
 *
 * @param after milliseconds since the epoch.
 * @returns milliseconds since the epoch; undefined when there is none any more.
 */
export function nextTime(schedule: Schedule, after: number): number | undefined {
  const { cron, timezone, every_minutes } = schedule;
  if (cron !== null) {
    const job = new Cron(cron, { mode: '5-part', timezone, paused: true });
    return job.nextRun(new Date(after))?.getTime();
  }
  const step = (every_minutes ?? 1) * MINUTE_MS;
  return (Math.floor(after / step) + 1) * step;
}

/** What is wrong with a cron expression; undefined if nothing is. */
export function cronFault(cron: string, timezone: string, now: number): string | undefined {
  try {
    const next = nextTime({ cron, timezone, every_minutes: null }, now);
    return next === undefined ? 'not enough run dates' : undefined;
  } catch {
    return 'must be five fields: minute, hour, day of the month, month, day of the week';
  }
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Offsets would not follow a place's clock, which is what a time zone is for.
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/**
 * When an alert that was never checked in its present version is due: one with a cron at its first time,
 * another at once.
 */
export function firstCheck(alert: Schedule & Pick<Alert, 'updatedAt'>): number | undefined {
  const changedAt = Date.parse(alert.updatedAt);
  return alert.cron === null ? changedAt : nextTime(alert, changedAt);
}
