import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Database,
  DataFormat,
  PartitionProjectionConfiguration,
  S3Table,
  S3TableStorage,
  Schema,
} from 'aws-cdk-lib/aws-glue';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { DATE_PATTERN, FAILED_KINDS, FAILED_PREFIX, FAILED_TEMPLATE } from './lake-layout.ts';

/** Name of the table of records that Firehose could not transform or convert. */
export const FAILED_TABLE = 'failed_events';

export interface FailedEventsProps {
  readonly database: Database;
  readonly bucket: IBucket;
  /** First partition, `yyyy-MM-dd`, UTC. */
  readonly firstDay: string;
}

/**
 * What Firehose could not transform or convert, as a table for people: one row for each record with the error
 * and the record itself in base64. The definition is all it has, so it goes with the stack.
 */
export class FailedEvents extends Construct {
  readonly table: S3Table;

  constructor(scope: Construct, id: string, { database, bucket, firstDay }: FailedEventsProps) {
    super(scope, id);
    this.table = new S3Table(this, 'Table', {
      database,
      tableName: FAILED_TABLE,
      description:
        'Records that could not be transformed or converted; rawdata holds them in base64',
      storage: S3TableStorage.fromBucket(bucket),
      s3Prefix: FAILED_PREFIX,
      dataFormat: DataFormat.JSON,
      hasEncryptedData: false,
      columns: [
        { name: 'attemptsmade', type: Schema.BIG_INT },
        { name: 'arrivaltimestamp', type: Schema.BIG_INT, comment: 'milliseconds since the epoch' },
        { name: 'attemptendingtimestamp', type: Schema.BIG_INT },
        // Failed conversions have these two, failed transformations those without "last".
        { name: 'lasterrorcode', type: Schema.STRING },
        { name: 'lasterrormessage', type: Schema.STRING },
        { name: 'errorcode', type: Schema.STRING },
        { name: 'errormessage', type: Schema.STRING },
        { name: 'rawdata', type: Schema.STRING, comment: 'the record in base64: a row per line' },
        { name: 'lambdaarn', type: Schema.STRING, comment: 'the transformation that failed' },
      ],
      partitionKeys: [
        { name: 'kind', type: Schema.STRING },
        { name: 'dt', type: Schema.DATE },
      ],
      partitionProjection: {
        kind: PartitionProjectionConfiguration.enum({ values: [...FAILED_KINDS] }),
        dt: PartitionProjectionConfiguration.date({
          min: firstDay,
          max: 'NOW+1DAYS',
          format: DATE_PATTERN,
        }),
      },
      parameters: { 'storage.location.template': bucket.s3UrlForObject(FAILED_TEMPLATE) },
    });
    this.table.applyRemovalPolicy(RemovalPolicy.DESTROY);
  }
}

/**
 * A failed record with its header, which a compressed record has in front of what SQL cannot read; NULL of a
 * plain one (RecordHeader in src/ingest/delivery/record). Eight bytes of a frame come before its text.
 */
const RECORDS = `SELECT *,
    CASE WHEN substr(record, 1, 1) <> X'7B' THEN regexp_extract(from_utf8(substr(record, 9, 400)), '^\\{[^}]*\\}') END AS header
  FROM (
    SELECT *, from_base64(rawdata) AS record
    FROM ${FAILED_TABLE}
    WHERE dt >= current_date - INTERVAL '7' DAY
  )`;

/** Athena queries over the failed records of the last week, saved where analysts find them. */
export const FAILED_EVENT_QUERIES = [
  {
    id: 'failed-records-by-error',
    name: 'Failed records by error',
    description:
      'Why Firehose could not transform or convert records, how many, and of how many events',
    text: `SELECT dt, kind,
  coalesce(lasterrorcode, errorcode) AS error_code,
  coalesce(lasterrormessage, errormessage) AS error_message,
  count(*) AS records,
  sum(CASE
    WHEN substr(record, 1, 1) = X'7B' THEN cardinality(split(from_utf8(record), chr(10)))
    ELSE try_cast(json_extract_scalar(header, '$.rows') AS bigint)
  END) AS events,
  min(from_unixtime(arrivaltimestamp / 1e3)) AS first_arrival,
  max(from_unixtime(arrivaltimestamp / 1e3)) AS last_arrival
FROM (
  ${RECORDS}
)
GROUP BY 1, 2, 3, 4
ORDER BY records DESC`,
  },
  {
    id: 'events-in-failed-records',
    name: 'Events in failed records',
    description:
      'The events that wait in failed records, with their sources, ids and times; a line for each compressed record, with its source',
    text: `WITH records AS (
  ${RECORDS}
)
SELECT dt,
  coalesce(lasterrormessage, errormessage) AS error_message,
  json_extract_scalar(event, '$.source_id') AS source_id,
  json_extract_scalar(event, '$.id') AS id,
  json_extract_scalar(event, '$.timestamp') AS event_time,
  event
FROM records
CROSS JOIN UNNEST(split(from_utf8(record), chr(10))) AS rows_of_record (event)
WHERE substr(record, 1, 1) = X'7B'
UNION ALL
SELECT dt,
  coalesce(lasterrormessage, errormessage),
  json_extract_scalar(header, '$.source_id'),
  NULL,
  NULL,
  concat(coalesce(json_extract_scalar(header, '$.rows'), 'unknown'),
    ' events, compressed: npm run redrive-failed -- --print shows them')
FROM records
WHERE substr(record, 1, 1) <> X'7B'
ORDER BY event_time DESC
LIMIT 1000`,
  },
] as const;
