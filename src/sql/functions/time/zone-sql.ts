import type { SqlTarget } from '../../common/result-schema.ts';
import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { DATETIME, TIMESTAMP } from '../../ir/types.ts';
import { civilIn, instantIn, isUtc, type Steps, stepAt, type Zone } from '../../zones/zone.ts';
import { letBinding } from '../common/let-binding.ts';

const SECOND_US = 1_000_000n;

/** The offset of a zone, microseconds, at a printed time: an instant or a civil time. */
export function offsetSql(engine: SqlTarget, steps: Steps, time: string): string {
  const { from, offsets, cycle } = steps;
  if (from.length === 0) return `BIGINT '${offsets[0]}'`;
  if (cycle === undefined) {
    return engine === 'athena' ? bucket(steps, time) : `(${tree(steps, time, 0, from.length)})`;
  }
  const start = cycle.from - cycle.length;
  const folded = `${start} + (${time} - ${cycle.from}) % ${cycle.length}`;
  if (engine === 'athena') {
    return bucket(steps, `CASE WHEN ${time} >= ${cycle.from} THEN ${folded} ELSE ${time} END`);
  }
  // A large tree is slow in a lambda, and hardly a row is as late as to need one.
  const late = letBinding(engine, folded, 'w', (w) =>
    tree(steps, w, stepAt(steps, start), from.length),
  );
  return `(CASE WHEN ${time} < ${cycle.from} THEN ${tree(steps, time, 0, from.length)} ELSE ${late} END)`;
}

/**
 * Trino finds the step by a binary search. Doubles are exact here: every start is a whole second, and
 * where microseconds since the epoch no longer fit a double (after 2255, before 1685) nothing starts.
 * The lists are texts because Trino's array constructor ends at 254 elements; they are constants when
 * the query runs.
 */
function bucket({ from, offsets }: Steps, time: string): string {
  const seconds = (times: readonly bigint[]): bigint[] => times.map((us) => us / SECOND_US);
  const starts = `CAST(SPLIT('${seconds(from)
    .map((start) => `${start}e6`)
    .join()}', ',') AS ARRAY(DOUBLE))`;
  const values = `CAST(SPLIT('${seconds(offsets).join()}', ',') AS ARRAY(BIGINT))`;
  return `(ELEMENT_AT(${values}, WIDTH_BUCKET(CAST(${time} AS DOUBLE), ${starts}) + 1) * ${SECOND_US})`;
}

/** DuckDB has no search in a list, so it gets the search tree itself: offsets `low` to `high`. */
function tree(steps: Steps, time: string, low: number, high: number): string {
  if (low === high) return String(steps.offsets[low]);
  const middle = Math.floor((low + high) / 2);
  const before = tree(steps, time, low, middle);
  const after = tree(steps, time, middle + 1, high);
  return `CASE WHEN ${time}<${steps.from[middle]} THEN ${before} ELSE ${after} END`;
}

/** Printed civil time of a printed instant. */
function civilSql(engine: SqlTarget, zone: Zone, instant: string): string {
  return letBinding(engine, instant, 'u', (u) => `(${u} + ${offsetSql(engine, zone.instants, u)})`);
}

/** Printed instant of a printed civil time. */
function instantSql(engine: SqlTarget, zone: Zone, civil: string): string {
  return letBinding(engine, civil, 'd', (d) => `(${d} - ${offsetSql(engine, zone.civils, d)})`);
}

/** A TIMESTAMP as the DATETIME that clocks of a zone show. */
export function toCivil(value: Expr, zone: Zone): Expr {
  if (isConst(value)) {
    const { value: us } = value;
    return constant(DATETIME, typeof us === 'bigint' ? civilIn(zone, us) : null);
  }
  return isUtc(zone)
    ? { op: 'cast', type: DATETIME, arg: value, safe: false }
    : { op: 'call', type: DATETIME, fn: civilInZone(zone), args: [value] };
}

/** A DATETIME as the TIMESTAMP at which clocks of a zone show it. */
export function toInstant(value: Expr, zone: Zone): Expr {
  if (isConst(value)) {
    const { value: us } = value;
    return constant(TIMESTAMP, typeof us === 'bigint' ? instantIn(zone, us) : null);
  }
  return isUtc(zone)
    ? { op: 'cast', type: TIMESTAMP, arg: value, safe: false }
    : { op: 'call', type: TIMESTAMP, fn: instantInZone(zone), args: [value] };
}

/** No clock was ever off UTC by more than 16 hours, and none has been put by more than a day. */
export const ZONE_MOVE_US = 86_400_000_000;

const civilInZone = (zone: Zone): ScalarFunction => ({
  name: 'civil_in_zone',
  displacement: { ahead: ZONE_MOVE_US, behind: ZONE_MOVE_US },
  athena: ([us = '']) => civilSql('athena', zone, us),
  duckdb: ([us = '']) => civilSql('duckdb', zone, us),
});

const instantInZone = (zone: Zone): ScalarFunction => ({
  name: 'instant_in_zone',
  athena: ([us = '']) => instantSql('athena', zone, us),
  duckdb: ([us = '']) => instantSql('duckdb', zone, us),
});
