/** Compiles a benchmark's query as the service would for a call of its endpoint. */
import { SHIPPED_ENDPOINTS } from '../src/endpoints/shipped.ts';
import { type CompileInput, compile, type ParameterValue } from '../src/sql/compile.ts';
import { PROMOTED, type ScanQuery } from './scan-queries.ts';

/** The default of a deployment: Firehose's buffer of 300 s, and 15 minutes of its retries. */
export const ATHENA_FILING_DELAY_SECONDS = 1200;

const HOUR_MS = 3_600_000;

export interface ScanTarget
  extends Pick<CompileInput, 'catalog' | 'target' | 'table' | 'bufferSeconds' | 'compacted'> {
  readonly project: string;
  readonly nowMs: number;
}

export function compileScan(query: ScanQuery, { project, nowMs, ...lake }: ScanTarget) {
  const endpoint = SHIPPED_ENDPOINTS.find(({ name }) => name === query.endpoint);
  if (endpoint === undefined) throw new Error(`There is no endpoint ${query.endpoint}.`);
  const text = (value: string): ParameterValue => ({ type: 'string', value });
  const iso = (hoursAgo: number) => text(new Date(nowMs - hoursAgo * HOUR_MS).toISOString());
  return compile({
    sql: endpoint.query,
    ...(query.consumerSql === undefined ? {} : { consumerSql: query.consumerSql }),
    parameters: {
      project: text(project),
      interval: text(query.interval ?? ''),
      iso_timestamp_start: iso(query.fromHoursAgo),
      iso_timestamp_end: iso(query.toHoursAgo),
    },
    nowUs: nowMs * 1000,
    maxRows: endpoint.max_limit,
    added: PROMOTED.map((column) => ({ column, filledFromUs: query.promoted ? 0 : undefined })),
    ...lake,
  });
}
