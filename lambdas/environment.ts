/**
 * The environment variables of the functions. `lib/` sets exactly these names, so what a function
 * reads and what it is given cannot drift apart.
 */
import * as z from 'zod';
import { LOG_LEVELS } from '../src/log.ts';

const name = z.string().min(1);
const count = z.stringFormat('count', /^[1-9]\d*$/).transform(Number);

const logging = {
  /** Least severe lines that are written. */
  LOG_LEVEL: z.enum(LOG_LEVELS),
};

const common = {
  ...logging,
  /** DynamoDB table of sources, endpoints and keys. */
  REGISTRY_TABLE: name,
};

const landing = {
  /** Firehose stream that events go to. */
  LANDING_STREAM: name,
  /** URL of the S3 prefix for parked records that no message can hold, with a slash at its end. */
  PARKING_OBJECTS: z.url({ protocol: /^https?$/ }).endsWith('/'),
};

const querying = {
  ...common,
  /** DynamoDB table of cached results and of rejections. */
  CACHE_TABLE: name,
  /** Athena workgroup that queries run in. */
  WORKGROUP: name,
  /** Glue database of the lake. */
  LAKE_DATABASE: name,
  /** Longest time between an event's arrival and the hour its file is filed under, seconds. */
  LAKE_BUFFER_SECONDS: count,
};

const compacting = {
  ...querying,
  /** URL of the S3 prefix of the compacted table, with a slash at its end. */
  COMPACTED_LOCATION: z.url({ protocol: /^s3$/ }).endsWith('/'),
  /** First day of the lake, `yyyy-MM-dd`. */
  FIRST_DAY: z.iso.date(),
  /** Days after which events are deleted, or `forever`. */
  RETENTION_DAYS: z
    .literal('forever')
    .transform(() => undefined)
    .or(count),
};

const ENVIRONMENTS = {
  ingest: z.object({
    ...common,
    ...landing,
    /** URL of the SQS queue for records that Firehose does not take in time. */
    PARKING_QUEUE: name,
    /** DynamoDB table of rate limits and rejections, among others. */
    CACHE_TABLE: name,
    /** Events per second that a source may store, where it has no quota of its own. */
    SOURCE_RATE_LIMIT: count,
    /** The same for an access key. */
    KEY_RATE_LIMIT: count,
  }),
  redrive: z.object({ ...logging, ...landing }),
  query: z.object(querying),
  management: z.object(querying),
  warmer: z.object(querying),
  bootstrap: z.object(querying),
  compaction: z.object(compacting),
};

/** Functions by the name of their file. */
export type FunctionName = keyof typeof ENVIRONMENTS;

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
