import { conjuncts } from '../ir/expr-builders.ts';
import type { TimeDisplacement } from '../ir/function.ts';
import { ALL_TIMES, type Expr, type TimeRange } from '../ir/ir.ts';
import { DAY_US, parseDatetime } from '../ir/time.ts';

/** Times that are in both ranges. */
export function intersection(a: TimeRange, b: TimeRange): TimeRange {
  return { from: Math.max(a.from, b.from), before: Math.min(a.before, b.before) };
}

/** The smallest range that holds both. */
export function hull(a: TimeRange, b: TimeRange): TimeRange {
  return { from: Math.min(a.from, b.from), before: Math.max(a.before, b.before) };
}

/** Where the times of a column must lie for a condition to hold. */
export interface ColumnRange {
  /** `relation.column` */
  readonly column: string;
  readonly range: TimeRange;
}

/** Reads `time > constant` in its spellings, also inside a conjunction. */
export function rangesOf(condition: Expr): ColumnRange[] {
  return conjuncts(condition).flatMap((expr) => {
    if (expr.op !== 'compare') return [];
    const { comparison, left, right } = expr;
    const compared = rangeOf(comparison, right);
    const mirrored = rangeOf(MIRRORED[comparison] ?? comparison, left);
    return [
      (compared && columnRange(left, compared)) ?? [],
      (mirrored && columnRange(right, mirrored)) ?? [],
    ].flat();
  });
}

/** Where the column must lie for the time that is read from it to lie in a range. */
export function columnRange(time: Expr, { from, before }: TimeRange): ColumnRange | undefined {
  const read = timeColumn(time);
  return (
    read && {
      column: read.column,
      range: { from: from - read.ahead, before: before + read.behind },
    }
  );
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Times that compare so with a constant; undefined for what is no constant or no range. */
function rangeOf(comparison: string, other: Expr): TimeRange | undefined {
  const us = microseconds(other);
  if (us === undefined) return undefined;
  // A date is the time at which it begins, and the next one is a day later.
  const step = other.type.kind === 'date' ? DAY_US : 1n;
  switch (comparison) {
    case '=':
      return { from: exactFrom(us), before: exactBefore(us + 1n) };
    case '>':
      return { ...ALL_TIMES, from: exactFrom(us + step) };
    case '>=':
      return { ...ALL_TIMES, from: exactFrom(us) };
    case '<':
      return { ...ALL_TIMES, before: exactBefore(us - step + 1n) };
    case '<=':
      return { ...ALL_TIMES, before: exactBefore(us + 1n) };
    default:
      return undefined;
  }
}

function microseconds(expr: Expr): bigint | undefined {
  if (expr.op !== 'const') return undefined;
  const { type, value } = expr;
  if (type.kind === 'date' && typeof value === 'string') return parseDatetime(value);
  return typeof value === 'bigint' ? value : undefined;
}

/** The years 1684 to 2255. A bound beyond is widened to what a double holds to the microsecond. */
const EXACT = BigInt(Number.MAX_SAFE_INTEGER);

function exactFrom(us: bigint): number {
  return us < -EXACT ? ALL_TIMES.from : Number(us > EXACT ? EXACT : us);
}

function exactBefore(us: bigint): number {
  return us > EXACT ? ALL_TIMES.before : Number(us < -EXACT ? -EXACT : us);
}

/** How far a time can be from its column. */
interface TimeColumn extends TimeDisplacement {
  readonly column: string;
}

const TIMES: ReadonlySet<string> = new Set(['timestamp', 'datetime', 'date']);

/** The column that a time is read from, through functions that say how far they move it. */
function timeColumn(expr: Expr): TimeColumn | undefined {
  if (expr.op === 'column' && TIMES.has(expr.type.kind)) {
    return { column: `${expr.column.relation}.${expr.column.name}`, ahead: 0, behind: 0 };
  }
  if (expr.op === 'call' && expr.fn.displacement !== undefined) {
    return moved(expr.args[0], expr.fn.displacement);
  }
  if (expr.op === 'cast' && TIMES.has(expr.type.kind)) {
    return moved(expr.arg, expr.type.kind === 'date' ? TO_DATE : UNMOVED);
  }
  return undefined;
}

const UNMOVED: TimeDisplacement = { ahead: 0, behind: 0 };
const TO_DATE: TimeDisplacement = { ahead: 0, behind: Number(DAY_US - 1n) };

function moved(
  time: Expr | undefined,
  { ahead, behind }: TimeDisplacement,
): TimeColumn | undefined {
  const inner = time && timeColumn(time);
  return inner && { ...inner, ahead: inner.ahead + ahead, behind: inner.behind + behind };
}
