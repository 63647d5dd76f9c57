import type { Clock } from '../platform/clock.ts';
import { mapWithConcurrency } from '../platform/concurrency/map-with-concurrency.ts';
import type { Logger } from '../platform/log.ts';
import type { Checked, Checker } from './check/checker.ts';
import { firstCheck, MINUTE_MS, nextTime } from './check/schedule.ts';
import { advance, restarted } from './check/state-machine.ts';
import type { AlertHistory } from './history/alert-history.ts';
import type { Alert } from './model/alert.ts';
import type { AlertRecord } from './model/record.ts';
import { notificationOf } from './notify/notification.ts';
import type { Outbox } from './outbox.ts';
import type { AlertRecords, Claim } from './store/alert-records.ts';
import type { AlertStore } from './store/alert-store.ts';

export interface AlertRunnerDeps {
  readonly alerts: Pick<AlertStore, 'list'>;
  readonly records: Pick<AlertRecords, 'list' | 'claim' | 'save'>;
  readonly checker: Pick<Checker, 'check'>;
  readonly outbox: Outbox;
  readonly history: Pick<AlertHistory, 'changed' | 'flush'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Alerts at a time; 8 when left out. */
  readonly concurrency?: number;
  /** How long a pass begins checks and waits for queries, milliseconds; 45,000 when left out. */
  readonly budgetMs?: number;
}

/** What became of the alerts that a pass looked at. */
export interface AlertPass {
  readonly due: number;
  /** Checked. */
  readonly checked: number;
  /** Whose query goes on; the next pass collects it. */
  readonly running: number;
  /** That another process has. */
  readonly busy: number;
  /** That the pass did not get to. */
  readonly postponed: number;
  /** Where what is kept of them could not be read or written. */
  readonly failed: number;
}

type Outcome = Exclude<keyof AlertPass, 'due'>;

/**
 * Checks the alerts that are due. Each is claimed first, so that one process at a time has it, and looked at
 * again once it is: what another pass has just done is not done again. A notification is decided together
 * with the state, in one write that fails when the claim has passed to another process, and delivered after
 * it. A process that dies in between leaves it to the next pass, under the same id.
 */
export class AlertRunner {
  readonly #deps: Required<AlertRunnerDeps>;

  constructor(deps: AlertRunnerDeps) {
    this.#deps = { concurrency: 8, budgetMs: 45_000, ...deps };
  }

  /** @throws when alerts or their records cannot be read at all. */
  async runOnce(): Promise<AlertPass> {
    const { clock, logger, concurrency, budgetMs } = this.#deps;
    const startedAt = clock.now();
    const deadline = startedAt + budgetMs;
    const due = await this.#due(startedAt);
    const counts = { checked: 0, running: 0, busy: 0, postponed: 0, failed: 0 };
    await mapWithConcurrency(due, concurrency, async (alert) => {
      counts[clock.now() < deadline ? await this.#handle(alert, deadline) : 'postponed']++;
    });
    if (due.length > 0) {
      const durationMs = clock.now() - startedAt;
      logger.info('pass over alerts', { due: due.length, ...counts, durationMs });
    }
    return { due: due.length, ...counts };
  }

  /** Those that have waited longest first, so that none is left behind for ever. */
  async #due(now: number): Promise<readonly Alert[]> {
    const alerts = await this.#deps.alerts.list();
    const enabled = alerts.filter((alert) => alert.enabled);
    if (enabled.length === 0) return [];
    const records = await this.#deps.records.list();
    const work = enabled.flatMap((alert) => {
      const record = records.get(alert.token);
      const waits = (record?.outbox.length ?? 0) > 0;
      const dueAt = dueTime(alert, record);
      const isDue = dueAt !== undefined && dueAt <= now;
      return isDue || waits ? [{ alert, dueAt: dueAt ?? now }] : [];
    });
    return work.sort((a, b) => a.dueAt - b.dueAt).map(({ alert }) => alert);
  }

  async #handle(alert: Alert, deadline: number): Promise<Outcome> {
    const { records, logger, outbox } = this.#deps;
    try {
      const claim = await records.claim(alert.token);
      if (claim === undefined) return 'busy';
      const { record, outcome, isReleased } = await this.#check(claim, alert, deadline);
      if (isReleased) return outcome;
      const left = await outbox.deliver(record.outbox, alert);
      await records.save(claim, { ...record, outbox: left }, true);
      return outcome;
    } catch (error) {
      logger.error('an alert could not be handled', { alert: alert.token, error });
      return 'failed';
    } finally {
      await this.#deps.history.flush();
    }
  }

  /** @returns the record as it is now, and whether the claim is given back or lost. */
  async #check(
    claim: Claim,
    alert: Alert,
    deadline: number,
  ): Promise<{ record: AlertRecord; outcome: Outcome; isReleased: boolean }> {
    const { clock, records, checker } = this.#deps;
    const { record } = claim;
    const startedAt = clock.now();
    const dueAt = dueTime(alert, record);
    // Another pass may have done it between the list and the claim.
    if (dueAt === undefined || dueAt > startedAt) {
      return { record, outcome: 'busy', isReleased: false };
    }
    const current =
      record.version === alert.version
        ? record
        : { ...record, version: alert.version, state: restarted(record.state), runningSince: null };
    const runningSince = current.runningSince ?? startedAt;
    const checked = await checker.check(alert, deadline, runningSince);
    if (checked === 'running') {
      const left = { ...current, nextAt: dueAt, runningSince };
      return { record: left, outcome: 'running', isReleased: false };
    }
    const next = this.#next(alert, current, checked);
    const isReleased = next.outbox.length === 0;
    if (!(await records.save(claim, next, isReleased))) {
      return { record, outcome: 'busy', isReleased: true };
    }
    const { status } = next.state;
    if (status !== record.state.status) {
      this.#deps.history.changed(alert, record.state.status, status, checked.finding);
    }
    return { record: next, outcome: 'checked', isReleased };
  }

  #next(alert: Alert, record: AlertRecord, { finding, rows }: Checked): AlertRecord {
    const now = this.#deps.clock.now();
    const { state, notify } = advance(record.state, finding, alert, now);
    const found = { at: now, since: state.since, finding, rows };
    const outbox =
      notify === null
        ? record.outbox
        : this.#deps.outbox.add(record.outbox, notificationOf(notify, alert, found), alert.targets);
    // What may mend itself is looked at again in a minute, whatever the schedule.
    const isRepeated = finding.isTemporary && state.status !== 'error';
    const nextAt = isRepeated ? now + MINUTE_MS : nextTime(alert, now);
    const { value, rows: count, fault } = finding;
    return {
      ...record,
      state,
      nextAt: nextAt ?? null,
      runningSince: null,
      checkedAt: now,
      value,
      rows: count,
      fault,
      outbox,
    };
  }
}

/** When an alert is due, milliseconds since the epoch; undefined for never. */
export function dueTime(alert: Alert, record: AlertRecord | undefined): number | undefined {
  if (record === undefined || record.version !== alert.version) return firstCheck(alert);
  return record.nextAt ?? undefined;
}
