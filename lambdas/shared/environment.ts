/**
 * The environment variables of the functions. `lib/` sets exactly these names, so what a function
 * reads and what it is given cannot drift apart.
 */
import * as z from 'zod/mini';
import { LOG_LEVELS } from '../../src/platform/log.ts';

const name = z.string('is not set').check(z.minLength(1, 'is empty'));
const count = z.pipe(
  z.stringFormat('count', /^[1-9]\d*$/, 'is not a whole number above 0'),
  z.transform(Number),
);

/** Names with commas between them: one for most deployments, which is what older releases read. */
const names = z.pipe(
  z.stringFormat('names', /^[^,]+(,[^,]+)*$/, 'is not set, or is no list of names'),
  z.transform((text) => text.split(',')),
);

const flag = z.pipe(
  z.enum(['true', 'false'], 'is neither true nor false'),
  z.transform((text) => text === 'true'),
);

const logging = {
  /** Least severe lines that are written. */
  LOG_LEVEL: z.enum(LOG_LEVELS, `is none of ${LOG_LEVELS.join(', ')}`),
};

const common = {
  ...logging,
  /** DynamoDB table of sources, endpoints and keys. */
  REGISTRY_TABLE: name,
};

const measuring = {
  /** Where CloudWatch keeps the metrics of this deployment. */
  METRICS_NAMESPACE: name,
};

const writing = {
  /**
   * Whether records on the stream are compressed. Absent while an update from a release without it is
   * under way: plain records are what every release's stream converts.
   */
  COMPRESS_RECORDS: z._default(flag, false),
};

const recording = {
  ...measuring,
  ...writing,
  /** Firehose streams that records of queries go to. */
  LANDING_STREAM: names,
};

const landing = {
  /** Firehose streams that events go to. */
  LANDING_STREAM: names,
  /** URL of the S3 prefix for spilled records that no message can hold, with a slash at its end. */
  SPILL_OBJECTS: z
    .url({ protocol: /^https?$/, error: 'is no URL' })
    .check(z.endsWith('/', 'does not end with a slash')),
};

const caching = {
  ...common,
  /** DynamoDB table of cached results and of rejections. */
  CACHE_TABLE: name,
  /** Compressed bytes of one result that are cached. */
  CACHED_RESULT_BYTES: count,
};

const lake = {
  /** Athena workgroup that statements run in. */
  WORKGROUP: name,
  /** Glue database of the lake. */
  LAKE_DATABASE: name,
  /** Longest time between an event's arrival and the hour its file is filed under, seconds. */
  MAX_FILING_DELAY_SECONDS: count,
};

const querying = { ...caching, ...lake };

const telling = {
  /** ARN of the SNS topic of alerts; empty, and no topic, while an update from a release without it is under way. */
  ALERT_TOPIC: z._default(z.string(), ''),
};

const compacting = {
  ...common,
  ...lake,
  /** DynamoDB table with the lease of the one run that compacts. */
  CACHE_TABLE: name,
  /** URL of the S3 prefix of the compacted table, with a slash at its end. */
  COMPACTED_LOCATION: z
    .url({ protocol: /^s3$/, error: 'is no URL' })
    .check(z.endsWith('/', 'does not end with a slash')),
  /** First day of the lake, `yyyy-MM-dd`. */
  FIRST_DAY: z.iso.date(),
  /** Days after which events are deleted, or `forever`. */
  RETENTION_DAYS: z.union([
    z.pipe(
      z.literal('forever'),
      z.transform(() => undefined),
    ),
    count,
  ]),
};

const ENVIRONMENTS = {
  ingest: z.object({
    ...common,
    ...landing,
    ...measuring,
    ...writing,
    /** URL of the SQS queue for records that Firehose does not take in time. */
    SPILL_QUEUE: name,
    /** DynamoDB table of rate limits and rejections, among others. */
    CACHE_TABLE: name,
    /** Events per second that a source may store, where it has no quota of its own. */
    SOURCE_RATE_LIMIT: count,
    /** The same for an access key. */
    KEY_RATE_LIMIT: count,
  }),
  redrive: z.object({ ...logging, ...landing }),
  transformation: z.object(logging),
  query: z.object({ ...querying, ...recording }),
  management: z.object({ ...querying, ...telling }),
  alerts: z.object({ ...querying, ...recording, ...telling }),
  warmer: z.object({ ...querying, ...recording }),
  bootstrap: z.object({
    ...querying,
    /** ARN of the Secrets Manager secret that is the first admin key. */
    ADMIN_KEY_SECRET: name,
  }),
  views: z.object({
    ...common,
    /** Athena workgroup that statements about views run in. */
    CATALOG_WORKGROUP: name,
    /** Glue database of the lake. */
    LAKE_DATABASE: name,
  }),
  compaction: z.object(compacting),
};

/** Functions by the name of their file. */
export type FunctionName = keyof typeof ENVIRONMENTS;

export const FUNCTION_NAMES = Object.keys(ENVIRONMENTS) as FunctionName[];

/** What `lib/` has to set for a function. */
export type EnvironmentOf<Name extends FunctionName> = Readonly<
  Record<keyof z.input<(typeof ENVIRONMENTS)[Name]>, string>
>;

/** What a function reads. */
export type Environment<Name extends FunctionName> = z.output<(typeof ENVIRONMENTS)[Name]>;

/**
 * Reads a function's environment.
 *
 * @throws Error naming every variable that is missing or not valid
 */
export function readEnvironment<Name extends FunctionName>(
  name: Name,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Environment<Name> {
  const parsed = ENVIRONMENTS[name].safeParse(variables);
  if (!parsed.success) {
    throw new Error(
      `The environment of the ${name} function is not valid:\n${z.prettifyError(parsed.error)}`,
    );
  }
  return parsed.data as Environment<Name>;
}
