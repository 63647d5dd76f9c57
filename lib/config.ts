import * as z from 'zod';
import { DEFAULT_RATES, MAX_RATE } from '../src/limits/quota.ts';
import { ENVIRONMENTS } from './environments.ts';

/** Retention periods that CloudWatch Logs knows, in days. */
const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731] as const;

const GIB = 1024 ** 3;

const rate = z.int().min(1).max(MAX_RATE);

const scanLimit = z
  .number()
  // Athena refuses a cutoff under 10 MB.
  .min(10_000_000 / GIB)
  .max(10_000);

/** What one environment may set. `lib/environments.ts` holds the values. */
const Settings = z.strictObject({
  /** Account to deploy to. @default the account of the credentials that deploy */
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be 12 digits')
    .optional(),
  /** Region to deploy to. @default the region of the credentials that deploy */
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-west-1')
    .optional(),
  /**
   * UTC day of the first deployment, `yyyy-MM-dd`. The lake's partitions start here: rows that
   * arrived earlier would not be found, and an earlier day makes every unbounded query list hours
   * that hold nothing.
   */
  firstDay: z.iso.date(),
  /**
   * Seconds that Firehose collects events before it writes a file: the time until an event can be
   * queried. Files are what queries pay for until a day is compacted: 300 s makes 288 a day, 60 s
   * makes 1,440, and a query over 30 days opens all of them. So five minutes is the
   * default, and a minute is for environments that would rather be fresh than cheap.
   */
  bufferSeconds: z.int().min(60).max(900).default(300),
  /** Days after which events are deleted from the lake. @default events are kept for ever */
  eventRetentionDays: z.int().min(1).max(36_500).optional(),
  /**
   * Days after which landing files are deleted. Compaction has copied their events hours after they
   * landed; the rest is time to mend it when it does not run.
   */
  landingRetentionDays: z.int().min(7).max(36_500).default(30),
  /** Days that the functions' and the API's own logs are kept. */
  logRetentionDays: z.literal(LOG_RETENTION_DAYS).default(30),
  /** Limits of the whole API; beyond them API Gateway answers 429, which log agents retry. */
  throttle: z
    .strictObject({
      requestsPerSecond: z.int().min(1).max(10_000).default(1_000),
      burst: z.int().min(1).max(5_000).default(2_000),
    })
    .prefault({}),
  /**
   * Events per second that one source, and one access key, may store over time where it has no limit
   * of its own; 60 times as many at once. Beyond them ingest answers 429.
   */
  rateLimits: z
    .strictObject({
      perSource: rate.default(DEFAULT_RATES.perSource),
      perKey: rate.default(DEFAULT_RATES.perKey),
    })
    .prefault({}),
  /** GiB that one Athena query may read before it is stopped; $5 per 1,000 GiB. */
  scanLimitGiB: z
    .strictObject({ api: scanLimit.default(50), analysts: scanLimit.default(500) })
    .prefault({}),
  /**
   * Queries that run at once. Athena counts queued and running queries of the whole account against
   * one quota, so a busy API could lock analysts out.
   *
   * @default no limit; a new account often has too little concurrency to set some aside
   */
  queryConcurrency: z.int().min(1).max(1_000).optional(),
  /** Where alarms are sent. @default nowhere; subscribe to the topic by hand */
  alarmEmail: z.email().optional(),
  /**
   * Page that alarm descriptions link to, one section per alarm: set it to where your copy of
   * `docs/runbook.md` can be read in a browser.
   */
  runbookUrl: z.string().min(1).default('docs/runbook.md'),
});

/** Values of one environment as `lib/environments.ts` writes them. */
export type EnvironmentSettings = z.input<typeof Settings>;

/** A checked environment with its defaults filled in. */
export interface Config extends z.output<typeof Settings> {
  /** `dev`, `prod` ...: part of every name and tag. */
  readonly environment: string;
}

/** Configuration that cannot be deployed. The message is meant for the person at the terminal. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The configuration of an environment.
 *
 * @param environment value of `-c env=...`; undefined means `dev`
 * @throws ConfigError when the environment does not exist or one of its settings is not valid
 */
export function loadConfig(
  environment: unknown = 'dev',
  environments: Readonly<Record<string, EnvironmentSettings>> = ENVIRONMENTS,
): Config {
  const settings =
    typeof environment === 'string' && Object.hasOwn(environments, environment)
      ? environments[environment]
      : undefined;
  if (typeof environment !== 'string' || settings === undefined) {
    const known = Object.keys(environments).join(', ');
    throw new ConfigError(
      `There is no environment "${environment}". Choose one of ${known} with -c env=<name>, or add it to lib/environments.ts.`,
    );
  }
  if (!/^[a-z][a-z0-9]{0,15}$/.test(environment)) {
    throw new ConfigError(
      `The environment name "${environment}" becomes part of resource names: use 1 to 16 lower-case letters and digits, a letter first.`,
    );
  }
  const parsed = Settings.safeParse(settings);
  if (!parsed.success) {
    throw new ConfigError(
      `Environment "${environment}" in lib/environments.ts is not valid:\n${z.prettifyError(parsed.error)}`,
    );
  }
  return { environment, ...parsed.data };
}
