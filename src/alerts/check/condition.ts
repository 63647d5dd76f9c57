import { isRawNumber } from '../../platform/json/json.ts';
import type { Condition, Finding, NoDataMeaning, Operator } from '../model/alert.ts';

type Row = Readonly<Record<string, unknown>>;

const COMPARE: Readonly<Record<Operator, (value: number, threshold: number) => boolean>> = {
  '>': (value, threshold) => value > threshold,
  '>=': (value, threshold) => value >= threshold,
  '<': (value, threshold) => value < threshold,
  '<=': (value, threshold) => value <= threshold,
  '==': (value, threshold) => value === threshold,
  '!=': (value, threshold) => value !== threshold,
};

/** What rows mean to a condition. */
export function evaluate(
  condition: Condition,
  rows: readonly Row[],
  noData: NoDataMeaning,
): Finding {
  switch (condition.type) {
    case 'any_rows':
      return found(rows.length > 0, null, rows.length);
    case 'row_count': {
      const { operator, threshold } = condition;
      return found(COMPARE[operator](rows.length, threshold), rows.length, rows.length);
    }
    case 'column':
      return ofColumn(condition, rows, noData);
  }
}

function ofColumn(
  { column, rows: which, operator, threshold }: Extract<Condition, { type: 'column' }>,
  rows: readonly Row[],
  noData: NoDataMeaning,
): Finding {
  const looked = which === 'first' ? rows.slice(0, 1) : rows;
  const values: number[] = [];
  for (const row of looked) {
    if (!Object.hasOwn(row, column)) return fault(rows.length, 'column_not_found', column, row);
    const cell = row[column];
    if (cell === null || cell === undefined) continue;
    const value = asNumber(cell);
    if (value === undefined) return fault(rows.length, 'column_not_a_number', column, row);
    values.push(value);
  }
  const [first] = values;
  if (first === undefined) return missing(noData, rows.length);
  const breach = values.find((value) => COMPARE[operator](value, threshold));
  return found(breach !== undefined, breach ?? first, rows.length);
}

/** Text that is a number counts as one: a field that was sent as text is text in a query's result. */
function asNumber(cell: unknown): number | undefined {
  if (typeof cell === 'boolean') return Number(cell);
  if (isRawNumber(cell)) return Number(cell.rawJSON);
  const isNumeric =
    typeof cell === 'number' ||
    (typeof cell === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell));
  return isNumeric ? Number(cell) : undefined;
}

function found(isBreach: boolean, value: number | null, rows: number): Finding {
  const outcome = isBreach ? 'breach' : 'clear';
  return { outcome, value, rows, fault: null, isTemporary: false };
}

function missing(meaning: NoDataMeaning, rows: number): Finding {
  const outcome = { no_data: 'no_data', ok: 'clear', firing: 'breach' } as const;
  return { outcome: outcome[meaning], value: null, rows, fault: null, isTemporary: false };
}

const FAULTS = {
  column_not_found: (column: string, columns: string) =>
    `The result has no column "${column}"; it has ${columns}.`,
  column_not_a_number: (column: string) =>
    `The column "${column}" holds something else than a number, which no threshold can be compared with.`,
} as const;

function fault(rows: number, code: keyof typeof FAULTS, column: string, row: Row): Finding {
  const message = FAULTS[code](column, Object.keys(row).slice(0, 20).join(', '));
  return { outcome: 'error', value: null, rows, fault: { code, message }, isTemporary: false };
}
