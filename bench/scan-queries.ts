/** The queries of the scan benchmark, with what each needs at least. */
import { promotedColumns } from '../src/lake/promoted-fields.ts';

export interface ScanQuery {
  readonly name: string;
  readonly endpoint: 'usage.api-counts' | 'logs.all';
  readonly consumerSql?: string;
  readonly interval?: string;
  /** Event times that it asks about, hours before now. */
  readonly fromHoursAgo: number;
  readonly toHoursAgo: number;
  /** The lake columns whose values decide or appear in the answer. */
  readonly needs: readonly string[];
  /** Whether {@link PROMOTED} is promoted, for long enough. @default false */
  readonly promoted?: boolean;
}

/** A field of the events that is promoted in none but a deployment that wants it. */
export const PROMOTED = promotedColumns([{ path: 'metadata.request.cf.colo', type: 'STRING' }]);

/** Which rows belong to the answer at all. */
const ROWS = ['source_id', 'project', 'timestamp_us'];
const COUNTS = {
  endpoint: 'usage.api-counts',
  toHoursAgo: 0,
  needs: ['source_id', 'timestamp_us', 'request_url', 'request_path'],
} as const;

const CHART = `
  select timestamp_trunc(t.timestamp, minute) as timestamp, count(*) as count
  from edge_logs as t
    cross join unnest(t.metadata) as m
    cross join unnest(m.request) as request
    cross join unnest(m.response) as response
  group by timestamp order by timestamp asc`;
const OBJECTS = ['has_request', 'has_response'];

const ERRORS = `
  select t.id, t.timestamp, t.event_message, request.method, request.path, response.status_code
  from edge_logs as t
    cross join unnest(t.metadata) as m
    cross join unnest(m.request) as request
    cross join unnest(m.response) as response
  where response.status_code >= 400 and regexp_contains(request.path, '^/(rest|auth)/')
  order by t.timestamp desc limit 100`;

const BY_COLO = `
  select cf.colo, count(*) as requests
  from edge_logs as t
    cross join unnest(t.metadata) as m
    cross join unnest(m.request) as request
    cross join unnest(request.cf) as cf
  group by cf.colo order by requests desc`;

const ROWS_WITH_METADATA =
  'select id, timestamp, event_message, metadata from edge_logs order by timestamp desc limit 100';
const WHOLE_ROWS = [...ROWS, 'id', 'event_message', 'metadata'];

const LAST_HOUR = { endpoint: 'logs.all', fromHoursAgo: 1, toHoursAgo: 0 } as const;

export const SCAN_QUERIES: readonly ScanQuery[] = [
  {
    ...COUNTS,
    name: 'usage.api-counts minutely',
    interval: 'minutely',
    fromHoursAgo: 1,
  },
  {
    ...COUNTS,
    name: 'usage.api-counts hourly',
    interval: 'hourly',
    fromHoursAgo: 1,
  },
  {
    ...COUNTS,
    name: 'usage.api-counts daily',
    interval: 'daily',
    fromHoursAgo: 7 * 24,
  },
  {
    ...LAST_HOUR,
    name: 'logs.all chart, last hour',
    consumerSql: CHART,
    needs: [...ROWS, ...OBJECTS],
  },
  {
    ...LAST_HOUR,
    name: 'logs.all chart of ids, last hour',
    // No event is without an id, so that its values decide nothing.
    consumerSql: CHART.replace('count(*)', 'count(t.id)'),
    needs: [...ROWS, ...OBJECTS],
  },
  {
    ...LAST_HOUR,
    name: 'logs.all errors, last hour',
    consumerSql: ERRORS,
    needs: [
      ...ROWS,
      ...OBJECTS,
      'id',
      'event_message',
      'request_method',
      'request_path',
      'response_status_code',
    ],
  },
  ...[false, true].map((promoted) => ({
    ...LAST_HOUR,
    name: `logs.all by colo, ${promoted ? 'promoted' : 'from JSON'}`,
    consumerSql: BY_COLO,
    promoted,
    needs: [...ROWS, 'has_request', 'has_request_cf', ...PROMOTED.map(({ name }) => name)],
  })),
  {
    ...LAST_HOUR,
    name: 'logs.all rows, last hour',
    consumerSql: ROWS_WITH_METADATA,
    needs: WHOLE_ROWS,
  },
  {
    name: 'logs.all rows, 12 hours ago',
    endpoint: 'logs.all',
    consumerSql: ROWS_WITH_METADATA,
    fromHoursAgo: 12,
    toHoursAgo: 11,
    needs: WHOLE_ROWS,
  },
];

/** What compaction is measured by: queries that look at events of more than the last hours, too. */
export const COMPACTION_QUERIES: readonly ScanQuery[] = [
  ...SCAN_QUERIES.filter(({ endpoint }) => endpoint === 'usage.api-counts'),
  ...SCAN_QUERIES.filter(({ name }) => name === 'logs.all rows, last hour'),
  {
    name: 'logs.all rows, an hour of last week',
    endpoint: 'logs.all',
    consumerSql: ROWS_WITH_METADATA,
    fromHoursAgo: 7 * 24,
    toHoursAgo: 7 * 24 - 1,
    needs: WHOLE_ROWS,
  },
  {
    name: 'logs.all rows, a day',
    endpoint: 'logs.all',
    consumerSql: ROWS_WITH_METADATA,
    fromHoursAgo: 24,
    toHoursAgo: 0,
    needs: WHOLE_ROWS,
  },
];
