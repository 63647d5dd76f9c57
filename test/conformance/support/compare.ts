import type { Row } from './two-engines.ts';

/** Sums and logarithms may be computed in another order, and so differ in the last digits. */
const RELATIVE = 1e-9;

/** Whether both engines gave the same rows; `ordered` when the query says in which order. */
export function sameRows(a: readonly Row[], b: readonly Row[], ordered: boolean): boolean {
  const [left, right] = ordered ? [a, b] : [sorted(a), sorted(b)];
  return left.length === right.length && left.every((row, i) => same(row, right[i]));
}

function same(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    const close = Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));
    return Number.isInteger(a) && Number.isInteger(b) && Number.isSafeInteger(a) ? a === b : close;
  }
  if (typeof a === 'bigint' && typeof b === 'number') {
    // What a test writes is a number, whatever its digits.
    return Number(a) === b;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === right.length &&
    left.every(([key, value]) => Object.hasOwn(b, key) && same(value, Reflect.get(b, key)))
  );
}

/** In an order that the last digits of a number do not change. */
function sorted(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({ row, key: JSON.stringify(row, rounded) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row);
}

function rounded(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`;
  return typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(6) : value;
}
