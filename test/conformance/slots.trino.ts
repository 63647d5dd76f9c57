/** Slots give what the JSON gives, on both engines. */
import { expect, test } from 'vitest';
import { readsOf, SEARCH, SOURCES, VALUES } from '../sql/optimize/slot-values.ts';
import { NOW_US } from '../sql/support.ts';
import { twoEngines } from './support/two-engines.ts';

const lake = twoEngines({ table: 'slots', arrivals: [{ at: NOW_US / 1000, events: VALUES }] });

const queries = [...SOURCES.map((source) => [source, readsOf(source)]), ['a search', SEARCH]];

test.each(queries)(
  'of %s: on DuckDB and on Trino, from slots and from the JSON',
  async (_, sql = '') => {
    const fromJson = { catalog: lake().jsonCatalog };

    const rows = await lake().onDuckdb(sql);

    expect(rows.length).toBeGreaterThan(1);
    expect(await lake().onDuckdb(sql, fromJson)).toEqual(rows);
    expect(await lake().onTrino(sql)).toEqual(rows);
    expect(await lake().onTrino(sql, fromJson)).toEqual(rows);
  },
);
