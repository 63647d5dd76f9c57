/** Promoted fields give the same from their columns as from the JSON, on both engines. */
import { expect, test } from 'vitest';
import { promotedColumns } from '../../src/lake/promoted-fields.ts';
import { PROMOTED, PROMOTED_EVENTS, PROMOTED_QUERY } from '../sql/promoted-values.ts';
import { twoEngines } from './support/two-engines.ts';

const NOON = Date.UTC(2026, 1, 2, 12);
const lake = twoEngines({
  table: 'promoted_fields',
  arrivals: [{ at: NOON, events: { promoted: PROMOTED_EVENTS } }],
  promotedFields: PROMOTED,
});

const read = (filledFromUs: number | undefined) => ({
  added: promotedColumns(PROMOTED).map((column) => ({ column, filledFromUs })),
  maxRows: 10_000,
});

test('every value is the same, from columns and from the JSON, on DuckDB and on Trino', async () => {
  const rows = [
    await lake().onDuckdb(PROMOTED_QUERY, read(undefined)),
    await lake().onDuckdb(PROMOTED_QUERY, read(0)),
    await lake().onTrino(PROMOTED_QUERY, read(undefined)),
    await lake().onTrino(PROMOTED_QUERY, read(0)),
  ];

  expect(rows[0]).toHaveLength(PROMOTED_EVENTS.length);
  for (const other of rows) expect(other).toEqual(rows[0]);
});
