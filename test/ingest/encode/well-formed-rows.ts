import { expect } from 'vitest';
import { LANDING_COLUMNS, type LakeType } from '../../../src/lake/layout/columns.ts';

const COLUMNS: ReadonlyMap<string, LakeType> = new Map(
  LANDING_COLUMNS.map(({ name, type }) => [name, type]),
);

const FITS: Readonly<Record<LakeType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value.isWellFormed(),
  bigint: (value) => Number.isInteger(value),
  timestamp: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(value),
};

function isCleaned(json: unknown): boolean {
  if (Array.isArray(json)) return json.length > 0 && json.every(isCleaned);
  if (typeof json !== 'object') return json !== '';
  if (json === null) return false;
  const entries = Object.entries(json);
  return (
    entries.length > 0 && entries.every(([name, member]) => /^\w*$/.test(name) && isCleaned(member))
  );
}

/** Rows that the lake's columns can take, with nothing in them that cleaning removes. */
export function expectWellFormedRows(rows: readonly string[]): void {
  for (const row of rows) {
    expect(row).not.toContain('\n');
    const columns = JSON.parse(row);
    for (const [name, column] of Object.entries(columns)) {
      const type = COLUMNS.get(name);
      expect(type !== undefined && FITS[type](column), `${name}: ${JSON.stringify(column)}`).toBe(
        true,
      );
    }
    if (columns.metadata !== undefined) expect(isCleaned(JSON.parse(columns.metadata))).toBe(true);
    if (columns.body !== undefined) expect(isCleaned(JSON.parse(columns.body))).toBe(true);
  }
}
