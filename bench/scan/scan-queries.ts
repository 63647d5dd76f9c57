/** The queries of the scan benchmark, with what each needs at least. */
import { APP_SOURCE, type BenchSource, EDGE_SOURCE } from './scan-lake.ts';

export interface ScanQuery {
  readonly name: string;
  readonly source: BenchSource;
  /** Either a shipped endpoint, or the text of one. */
  readonly endpoint?: 'usage.api-counts' | 'logs.all';
  readonly sql?: string;
  readonly consumerSql?: string;
  readonly interval?: string;
  /** Event times that it asks about, hours before now. */
  readonly fromHoursAgo: number;
  readonly toHoursAgo: number;
  /** Columns of the lake, and paths of the source, whose values decide or appear in the answer. */
  readonly needs: readonly string[];
}

/** Which rows belong to the answer at all. */
const ROWS = ['source_id', 'project', 'timestamp_us'];
const COUNTS = {
  source: EDGE_SOURCE,
  endpoint: 'usage.api-counts',
  toHoursAgo: 0,
  needs: ['source_id', 'timestamp_us', 'metadata.request.url', 'metadata.request.path'],
} as const;

const CHART = `
  select timestamp_trunc(t.timestamp, minute) as timestamp, count(*) as count
  from edge_logs as t
    cross join unnest(t.metadata) as m
    cross join unnest(m.request) as request
    cross join unnest(m.response) as response
  group by timestamp order by timestamp asc`;
const OBJECTS = ['metadata.request', 'metadata.response'];

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

const LAST_HOUR = {
  source: EDGE_SOURCE,
  endpoint: 'logs.all',
  fromHoursAgo: 1,
  toHoursAgo: 0,
} as const;

/** A chart of the application's events by whatever the text says. */
function appChart(
  name: string,
  columns: string,
  from: string,
  needs: readonly string[],
): ScanQuery {
  const sql = `select timestamp_trunc(t.timestamp, minute) as minute, ${columns}
    from \`app.logs\` as t cross join unnest(t.metadata) as m ${from}
    where t.timestamp > @iso_timestamp_start and t.timestamp <= @iso_timestamp_end and t.project = @project
    group by all order by minute`;
  return {
    name: `app chart ${name}, last hour`,
    source: APP_SOURCE,
    sql,
    fromHoursAgo: 1,
    toHoursAgo: 0,
    needs: [...ROWS, ...needs],
  };
}

const APP_CHARTS = [
  appChart('by a text', 'm.service, count(*) as events', '', ['metadata.service']),
  appChart('of a number', 'avg(m.latency_ms) as mean, max(m.retries) as most', '', [
    'metadata.latency_ms',
    'metadata.retries',
  ]),
  appChart('by a boolean', 'm.cached, count(*) as events', '', ['metadata.cached']),
  appChart('by a mixed field', 'm.code, count(*) as events', '', ['metadata.code']),
  appChart(
    'by a nested field',
    'client.agent, countif(http.status >= 500) as errors',
    'cross join unnest(m.http) as http cross join unnest(http.client) as client',
    ['metadata.http', 'metadata.http.client', 'metadata.http.client.agent', 'metadata.http.status'],
  ),
];

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
      'metadata.request.method',
      'metadata.request.path',
      'metadata.response.status_code',
    ],
  },
  {
    ...LAST_HOUR,
    name: 'logs.all by colo, last hour',
    consumerSql: BY_COLO,
    needs: [...ROWS, 'metadata.request', 'metadata.request.cf', 'metadata.request.cf.colo'],
  },
  ...APP_CHARTS,
  {
    ...LAST_HOUR,
    name: 'logs.all rows, last hour',
    consumerSql: ROWS_WITH_METADATA,
    needs: WHOLE_ROWS,
  },
  {
    name: 'logs.all rows, 12 hours ago',
    source: EDGE_SOURCE,
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
  // Most of a day is compacted; of the last hour, little.
  ...SCAN_QUERIES.filter(({ name }) => name.includes('by ') || name.includes('of a number')).map(
    (query) => ({ ...query, name: query.name.replace('last hour', 'last day'), fromHoursAgo: 24 }),
  ),
  {
    name: 'logs.all rows, an hour of last week',
    source: EDGE_SOURCE,
    endpoint: 'logs.all',
    consumerSql: ROWS_WITH_METADATA,
    fromHoursAgo: 7 * 24,
    toHoursAgo: 7 * 24 - 1,
    needs: WHOLE_ROWS,
  },
  {
    name: 'logs.all rows, a day',
    source: EDGE_SOURCE,
    endpoint: 'logs.all',
    consumerSql: ROWS_WITH_METADATA,
    fromHoursAgo: 24,
    toHoursAgo: 0,
    needs: WHOLE_ROWS,
  },
];
