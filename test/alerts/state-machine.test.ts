import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance, MAX_FAILURES } from '../../src/alerts/check/state-machine.ts';
import { type Finding, problemOf } from '../../src/alerts/model/alert.ts';
import { type AlertState, newRecord } from '../../src/alerts/model/record.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

const finding = (outcome: Finding['outcome'], isTemporary = false): Finding => ({
  outcome,
  value: null,
  rows: null,
  fault: null,
  isTemporary,
});

interface Settings {
  readonly for_checks: number;
  readonly repeat_minutes: number | null;
  readonly muted_until: string | null;
}

/** Statuses and notifications of checks, one a minute. */
function run(findings: readonly Finding[], settings: Partial<Settings> = {}) {
  const alert = { for_checks: 1, repeat_minutes: null, muted_until: null, ...settings };
  let state: AlertState = newRecord(START).state;
  return findings.map((found, minute) => {
    const now = START + minute * MINUTE;
    const step = advance(state, found, alert, now);
    state = step.state;
    return { status: state.status, notify: step.notify, state, now };
  });
}

const breach = finding('breach');
const clear = finding('clear');
const noData = finding('no_data');
const busy = finding('error', true);
const broken = finding('error');

const brief = (steps: ReturnType<typeof run>) =>
  steps.map(({ status, notify }) => (notify === null ? status : `${status}!`));

describe('an alert', () => {
  test('fires once, and is over once', () => {
    expect(brief(run([clear, breach, breach, clear, clear]))).toEqual([
      'ok',
      'firing!',
      'firing',
      'resolved!',
      'ok',
    ]);
  });

  test('waits for as many checks in a row as it is told to', () => {
    expect(brief(run([breach, clear, breach, breach, breach], { for_checks: 3 }))).toEqual([
      'pending',
      'ok',
      'pending',
      'pending',
      'firing!',
    ]);
  });

  test('tells again while it fires', () => {
    expect(brief(run(Array(6).fill(breach), { repeat_minutes: 2 }))).toEqual([
      'firing!',
      'firing',
      'firing!',
      'firing',
      'firing!',
      'firing',
    ]);
  });

  test('tells of missing data, and goes on firing where it left off', () => {
    expect(brief(run([breach, breach, noData, noData, breach], { for_checks: 2 }))).toEqual([
      'pending',
      'firing!',
      'no_data!',
      'no_data',
      'firing!',
    ]);
  });

  test('takes a busy engine for an error the third time', () => {
    expect(brief(run([busy, busy, clear, busy, busy, busy, clear]))).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
      'ok',
      'error!',
      'ok!',
    ]);
  });

  test('takes a query that cannot work for an error at once', () => {
    expect(brief(run([broken, broken, clear]))).toEqual(['error!', 'error', 'ok!']);
  });

  test('says when a mute ends what is so, if that is not what is known', () => {
    const muted_until = new Date(START + 3 * MINUTE).toISOString();
    expect(brief(run([breach, breach, breach, breach], { muted_until }))).toEqual([
      'firing',
      'firing',
      'firing',
      'firing!',
    ]);
    expect(brief(run([breach, clear, clear, clear], { muted_until }))).toEqual([
      'firing',
      'resolved',
      'ok',
      'ok',
    ]);
  });
});

describe('whatever checks find', () => {
  const findings = fc.array(fc.constantFrom(breach, clear, noData, busy, broken), {
    maxLength: 60,
  });
  const settings = fc.record({
    for_checks: fc.integer({ min: 1, max: 4 }),
    repeat_minutes: fc.option(fc.integer({ min: 1, max: 10 })),
    muted_until: fc.option(
      fc
        .integer({ min: 0, max: 60 })
        .map((minute) => new Date(START + minute * MINUTE).toISOString()),
    ),
  });

  test('what people were told is what is so, unless it is muted', () => {
    fc.assert(
      fc.property(findings, settings, (all, alert) => {
        for (const { status, state, now } of run(all, alert)) {
          const isMuted = alert.muted_until !== null && now < Date.parse(alert.muted_until);
          if (!isMuted) expect(state.told?.problem ?? null).toBe(problemOf(status));
        }
      }),
    );
  });

  test('a notification says something new, or is due for a repeat', () => {
    fc.assert(
      fc.property(findings, settings, (all, alert) => {
        let told: { readonly problem: string; readonly at: number } | undefined;
        for (const { notify, now } of run(all, alert)) {
          if (notify === null) continue;
          if (notify === 'resolved') expect(told).toBeDefined();
          else if (told?.problem === notify) {
            expect(alert.repeat_minutes).not.toBeNull();
            expect(now - told.at).toBeGreaterThanOrEqual((alert.repeat_minutes ?? 0) * MINUTE);
          }
          told = notify === 'resolved' ? undefined : { problem: notify, at: now };
        }
      }),
    );
  });

  test('nobody is told of anything while it is muted', () => {
    fc.assert(
      fc.property(findings, settings, (all, alert) => {
        for (const { notify, now } of run(all, alert)) {
          const isMuted = alert.muted_until !== null && now < Date.parse(alert.muted_until);
          if (isMuted) expect(notify).toBeNull();
        }
      }),
    );
  });

  test('it fires at the nth breach in a row, whatever lies in between but a clear one', () => {
    fc.assert(
      fc.property(findings, settings, (all, alert) => {
        let row = 0;
        run(all, alert).forEach(({ status }, index) => {
          const { outcome } = all[index] ?? clear;
          if (outcome === 'breach') row++;
          if (outcome === 'clear') row = 0;
          if (outcome === 'breach')
            expect(status).toBe(row >= alert.for_checks ? 'firing' : 'pending');
          if (outcome === 'clear') expect(['ok', 'resolved']).toContain(status);
        });
      }),
    );
  });

  test('a status stays while only what may pass failed, and not more often than allowed', () => {
    fc.assert(
      fc.property(findings, settings, (all, alert) => {
        let failures = 0;
        let before = 'ok';
        run(all, alert).forEach(({ status }, index) => {
          const { outcome, isTemporary } = all[index] ?? clear;
          failures = outcome === 'error' ? failures + 1 : 0;
          if (outcome === 'error' && isTemporary && failures < MAX_FAILURES)
            expect(status).toBe(before);
          before = status;
        });
      }),
    );
  });
});
