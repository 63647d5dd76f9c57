/** Compiles a benchmark's query as the service would for a call of its endpoint. */
import { BUILT_IN_ENDPOINTS } from '../../src/bootstrap/built-in-endpoints.ts';
import { slotColumn } from '../../src/lake/layout/columns.ts';
import { schemaAt } from '../../src/lake/schema/schema.ts';
import {
  type Catalog,
  type CompileInput,
  compile,
  type ParameterValue,
} from '../../src/sql/compile.ts';
import type { ScanQuery } from './scan-queries.ts';

/** The default of a deployment: Firehose's buffer of 300 s, and 15 minutes of its retries. */
export const ATHENA_MAX_FILING_DELAY_SECONDS = 1200;

const HOUR_MS = 3_600_000;

export interface ScanTarget
  extends Pick<
    CompileInput,
    'catalog' | 'target' | 'table' | 'maxFilingDelaySeconds' | 'compacted'
  > {
  readonly project: string;
  readonly nowMs: number;
}

export function compileScan(query: ScanQuery, { project, nowMs, ...lake }: ScanTarget) {
  const { sql, maxRows } = textOf(query);
  const text = (value: string): ParameterValue => ({ type: 'string', value });
  const iso = (hoursAgo: number) => text(new Date(nowMs - hoursAgo * HOUR_MS).toISOString());
  return compile({
    sql,
    ...(query.consumerSql === undefined ? {} : { consumerSql: query.consumerSql }),
    parameters: {
      project: text(project),
      interval: text(query.interval ?? ''),
      iso_timestamp_start: iso(query.fromHoursAgo),
      iso_timestamp_end: iso(query.toHoursAgo),
    },
    nowUs: nowMs * 1000,
    maxRows,
    ...lake,
  });
}

/** The lake's columns that hold what a query needs: fields of a source lie in their slots. */
export function neededColumns({ source, needs }: ScanQuery, catalog: Catalog): string[] {
  const schema = catalog.source(source.name)?.schema;
  return needs.flatMap((need) => {
    if (!need.startsWith('metadata.')) return [need];
    const slots = schema && schemaAt(schema, need.split('.'))?.slots;
    if (slots === undefined) throw new Error(`${need} of ${source.name} has no slot.`);
    return Object.values(slots).map(slotColumn);
  });
}

function textOf({ endpoint, sql }: ScanQuery): { sql: string; maxRows: number } {
  if (sql !== undefined) return { sql, maxRows: 1000 };
  const shipped = BUILT_IN_ENDPOINTS.find(({ name }) => name === endpoint);
  if (shipped === undefined) throw new Error(`There is no endpoint ${endpoint}.`);
  return { sql: shipped.query, maxRows: shipped.max_limit };
}
