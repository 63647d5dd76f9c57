import type { SqlTarget } from '../../common/result-schema.ts';
import { isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { FIXED_UNITS, truncate } from '../../ir/time.ts';
import { TIMESTAMP } from '../../ir/types.ts';
import { civilIn, instantIn, isUtc, type Zone } from '../../zones/zone.ts';
import { letBinding } from '../common/let-binding.ts';
import { startOffsets } from './offset-transitions.ts';
import { truncateTo, truncation, unknownUnit } from './truncate.ts';
import { timeOf, withinYears } from './years.ts';
import { offsetSql, ZONE_MOVE_US } from './zone-sql.ts';

const SECOND_US = 1_000_000n;

/**
 * Truncates a TIMESTAMP in a time zone: days and more begin when clocks there show, or skip, midnight.
 *
 * @returns the truncated value, or a sentence saying why there is none.
 */
export function truncateInZone(value: Expr, unit: string, zone: Zone): Expr | string {
  const period = Object.hasOwn(FIXED_UNITS, unit) ? FIXED_UNITS[unit] : undefined;
  // Offsets are whole seconds, so those and what is smaller are cut alike everywhere.
  if (isUtc(zone) || (period !== undefined && period <= SECOND_US)) return truncateTo(value, unit);
  if (isConst(value) && typeof value.value === 'bigint') {
    const civil = civilIn(zone, value.value);
    const start = truncate(civil, unit);
    if (start === undefined) return unknownUnit(unit);
    const instant = isClockUnit(unit) ? value.value - (civil - start) : instantIn(zone, start);
    return timeOf(TIMESTAMP, instant);
  }
  const fn = truncationIn(unit, zone);
  return fn === undefined
    ? unknownUnit(unit)
    : withinYears({ op: 'call', type: TIMESTAMP, fn, args: [value] });
}

function truncationIn(unit: string, zone: Zone): ScalarFunction | undefined {
  const civil = truncation(unit);
  if (civil === undefined) return undefined;
  const { instants } = zone;
  const starts = isClockUnit(unit) ? instants : startOffsets(zone, unit);
  const print = (engine: SqlTarget, us: string): string =>
    letBinding(engine, us, 'u', (u) => {
      const time = `(${u} + ${offsetSql(engine, instants, u)})`;
      return isClockUnit(unit)
        ? `(${u} - ${remainder(time, unit)})`
        : `(${letBinding(engine, time, 'c', (c) => civil[engine]([c]))} - ${offsetSql(engine, starts, u)})`;
    });
  return {
    name: 'timestamp_trunc_in_zone',
    // Clocks that skip the start of a part make it begin later; those that show it twice, longer.
    displacement: { ahead: ZONE_MOVE_US, behind: (civil.displacement?.behind ?? 0) + ZONE_MOVE_US },
    athena: ([us = '']) => print('athena', us),
    duckdb: ([us = '']) => print('duckdb', us),
  };
}

/** Hours and minutes are cut by the offset that holds at the time, even where it began within them. */
function isClockUnit(unit: string): boolean {
  return unit === 'MINUTE' || unit === 'HOUR';
}

/** Remainders have the sign of the dividend in both engines; this one is never negative. */
function remainder(time: string, unit: string): string {
  const period = FIXED_UNITS[unit];
  return `((${time} % ${period} + ${period}) % ${period})`;
}
