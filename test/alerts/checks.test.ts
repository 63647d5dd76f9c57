import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/alerts/check/condition.ts';
import { cronFault, firstCheck, isTimezone, nextTime } from '../../src/alerts/check/schedule.ts';
import type { Condition } from '../../src/alerts/model/alert.ts';
import { rawNumber } from '../../src/platform/json/json.ts';

const NOW = Date.parse('2026-02-03T14:25:36.789Z');
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

describe('a condition', () => {
  const column = (fields: object = {}): Condition => ({
    type: 'column',
    column: 'n',
    rows: 'first',
    operator: '>',
    threshold: 5,
    ...fields,
  });
  const outcome = (condition: Condition, rows: readonly Record<string, unknown>[]) => {
    const { outcome: found, value } = evaluate(condition, rows, 'no_data');
    return [found, value];
  };

  test('on any rows', () => {
    expect(outcome({ type: 'any_rows' }, [])).toEqual(['clear', null]);
    expect(outcome({ type: 'any_rows' }, [{ n: 1 }])).toEqual(['breach', null]);
  });

  test('on their number, of which none is one', () => {
    const none: Condition = { type: 'row_count', operator: '==', threshold: 0 };
    expect(outcome(none, [])).toEqual(['breach', 0]);
    expect(outcome(none, [{ n: 1 }])).toEqual(['clear', 1]);
  });

  test.each([
    ['>', false],
    ['>=', true],
    ['<', false],
    ['<=', true],
    ['==', true],
    ['!=', false],
  ])('on a value that is the threshold with %s', (operator, holds) => {
    expect(outcome(column({ operator }), [{ n: 5 }])[0]).toBe(holds ? 'breach' : 'clear');
  });

  test('on the first row looks at no other', () => {
    expect(outcome(column(), [{ n: 1 }, { n: 9 }])).toEqual(['clear', 1]);
    expect(outcome(column({ rows: 'any' }), [{ n: 1 }, { n: 9 }])).toEqual(['breach', 9]);
  });

  test.each([
    ['6.5', 6.5],
    ['-1e3', -1_000],
    [true, 1],
    [false, 0],
    [rawNumber('9007199254740993'), 9_007_199_254_740_992],
  ])('takes %j for a number', (cell, value) => {
    expect(outcome(column(), [{ n: cell }])[1]).toBe(value);
  });

  test.each([['six'], [''], [{}], [[1]], ['0x10'], [' 6'], ['NaN']])(
    'does not take %j for one',
    (cell) => {
      expect(evaluate(column(), [{ n: cell }], 'no_data')).toMatchObject({
        outcome: 'error',
        fault: { code: 'column_not_a_number' },
        isTemporary: false,
      });
    },
  );

  test('says which columns there are', () => {
    expect(evaluate(column(), [{ m: 1, o: 2 }], 'no_data').fault).toEqual({
      code: 'column_not_found',
      message: 'The result has no column "n"; it has m, o.',
    });
  });

  test.each([
    ['no_data', 'no_data'],
    ['ok', 'clear'],
    ['firing', 'breach'],
  ] as const)('without a value means %s', (meaning, found) => {
    expect(evaluate(column(), [], meaning).outcome).toBe(found);
    expect(evaluate(column(), [{ n: null }], meaning).outcome).toBe(found);
  });
});

describe('a schedule', () => {
  const every = (every_minutes: number) => ({ cron: null, timezone: 'UTC', every_minutes });
  const cron = (text: string, timezone = 'UTC') => ({ cron: text, timezone, every_minutes: null });

  test('every n minutes falls on the same minutes for all', () => {
    expect(iso(nextTime(every(1), NOW))).toBe('2026-02-03T14:26:00.000Z');
    expect(iso(nextTime(every(15), NOW))).toBe('2026-02-03T14:30:00.000Z');
  });

  test('by cron is read in its time zone, also where clocks change', () => {
    expect(iso(nextTime(cron('0 9 * * *', 'Europe/Paris'), NOW))).toBe('2026-02-04T08:00:00.000Z');
    const march = Date.parse('2026-03-28T12:00:00Z');
    expect(iso(nextTime(cron('0 9 * * *', 'Europe/Paris'), march))).toBe(
      '2026-03-29T07:00:00.000Z',
    );
  });

  test.each([
    ['* * * * * *', 'must be five fields: minute, hour, day of the month, month, day of the week'],
    ['@every 1s', 'must be five fields: minute, hour, day of the month, month, day of the week'],
    ['61 * * * *', 'must be five fields: minute, hour, day of the month, month, day of the week'],
    ['', 'must be five fields: minute, hour, day of the month, month, day of the week'],
    ['0 0 30 2 *', 'not enough run dates'],
  ])('of %j %s', (text, fault) => {
    expect(cronFault(text, 'UTC', NOW)).toBe(fault);
  });

  test('is a time after now, on a minute, or a fault, whatever the text', () => {
    const field = fc.constantFrom('*', '*/5', '0', '1-5', '59', '7,8', 'L', '?', 'x', '31', '12');
    const text = fc.oneof(
      fc.tuple(field, field, field, field, field).map((fields) => fields.join(' ')),
      fc.string({ maxLength: 30 }),
    );
    fc.assert(
      fc.property(text, (given) => {
        if (cronFault(given, 'UTC', NOW) !== undefined) return;
        const next = nextTime(cron(given), NOW) ?? 0;
        expect(next).toBeGreaterThan(NOW);
        expect(next % 60_000).toBe(0);
      }),
    );
  });

  test('begins at once, and with a cron at its first time', () => {
    const updatedAt = new Date(NOW).toISOString();
    expect(firstCheck({ ...every(60), updatedAt })).toBe(NOW);
    expect(iso(firstCheck({ ...cron('0 * * * *'), updatedAt }))).toBe('2026-02-03T15:00:00.000Z');
  });

  test.each([
    ['UTC', true],
    ['Europe/Paris', true],
    ['Paris', false],
    ['+02:00', false],
    ['', false],
  ])('knows %j for a time zone: %s', (name, known) => {
    expect(isTimezone(name)).toBe(known);
  });
});
