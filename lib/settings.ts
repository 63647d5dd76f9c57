import * as z from 'zod';
import { DEFAULT_RATES, MAX_RATE } from '../src/ingest/limits/token-bucket.ts';
import { MAX_RESULT_BYTES } from '../src/query/cache/result-cache-store.ts';
import { Domain, domainFault } from './api/domain-settings.ts';

/** Retention periods that CloudWatch Logs knows, in days. */
const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731] as const;

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** How AWS's Regions are named. */
export const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;

const rate = z.int().min(1).max(MAX_RATE);

const scanLimit = z
  .number()
  // Athena refuses a cutoff under 10 MB.
  .min(10_000_000 / GIB)
  .max(10_000);

const addresses = z
  .array(z.email())
  .max(20)
  // SNS has one subscription of an address, and the CDK stops without a word of the setting.
  .refine((list) => new Set(list).size === list.length, 'must name each address once')
  .default([]);

/** What one environment may set. `config/<environment>.ts` holds the values. */
export const Settings = z
  .strictObject({
    /** Account to deploy to. @default the account of the credentials that deploy */
    account: z
      .string()
      .regex(/^\d{12}$/, 'must be 12 digits')
      .optional(),
    /** Region to deploy to. @default the region of the terminal that deploys: `AWS_REGION`, or its profile's */
    region: z.string().regex(REGION, 'must be a region such as eu-west-1').optional(),
    /** Name of the API's own. @default none; the API answers at the address that AWS gives it */
    domain: Domain.optional(),
    /**
     * UTC day of the first deployment, `yyyy-MM-dd`. The lake's partitions start here: rows that
     * arrived earlier would not be found, and an earlier day makes every unbounded query list hours
     * that hold nothing.
     */
    firstDay: z.iso.date(),
    /**
     * Seconds that Firehose collects events before it writes a file: the time until an event can be
     * queried. 60 s makes up to 1,440 files a day where 300 s makes 288: 0.17 dollars more a month in
     * PUTs. Queries open each file of the days that are not compacted yet, so the number of files is
     * bounded by hours, not by the age of the lake, and a minute can be the default.
     */
    bufferSeconds: z.int().min(60).max(900).default(60),
    /**
     * Whether records on the landing stream are compressed. Firehose then bills a fifth of the bytes
     * that clients send instead of twice as many, and a function on the stream gives the rows back. It
     * reads both kinds, so that this can be changed at any time.
     */
    compressRecords: z.boolean().default(true),
    /** Days after which events are deleted from the lake. @default events are kept for ever */
    eventRetentionDays: z.int().min(1).max(36_500).optional(),
    /**
     * Firehose streams that write the landing table. Each has a quota of its own: 5 MiB a second in
     * us-east-1, us-west-2 and eu-west-1, 1 MiB elsewhere (docs/scale.md). Each makes files of its own,
     * so twice the streams are twice the small files of a quiet hour.
     */
    landingStreams: z.int().min(1).max(20).default(1),
    /**
     * Days that files of the landing table are kept. Compaction has copied them within hours, and looks
     * for late ones for two days; what remains is the time to notice that it stands still, and to repair
     * it. The bucket gives deleted files back for 7 more.
     */
    landingRetentionDays: z.int().min(7).max(36_500).default(14),
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
     * Events per second that one source, and one access key, may store over time where it has no
     * limit of its own; 60 times as many at once. Beyond them ingest answers 429.
     */
    rateLimits: z
      .strictObject({
        perSource: rate.default(DEFAULT_RATES.perSource),
        perKey: rate.default(DEFAULT_RATES.perKey),
      })
      .prefault({}),
    /** GiB that one Athena query may read before it is stopped; $5 per TB. */
    scanLimitGiB: z
      .strictObject({ api: scanLimit.default(50), analysts: scanLimit.default(500) })
      .prefault({}),
    /** Dollars that the API's queries may scan in an hour before an alarm rings; analysts', and compaction, too. */
    scanCostAlarmUsdPerHour: z.number().min(0.01).max(100_000).default(5),
    /**
     * MiB of compressed rows that one cached result may take. Larger ones are run anew for each call;
     * each MiB costs $0.0006 to write, as 1,024 write units of DynamoDB.
     */
    cachedResultMiB: z
      .number()
      .min(0.1)
      .max(MAX_RESULT_BYTES / MIB)
      .default(MAX_RESULT_BYTES / MIB),
    /**
     * Calls of saved queries that are answered at once, set aside from the account's Lambda
     * concurrency. Athena counts queued and running queries of the whole account and Region against
     * one quota, which differs by Region, so a busy API could lock analysts, the warmer and
     * compaction out. 20 leaves room under every quota that we know of, and still answers 1,000 calls
     * a second from the cache. `unreserved` sets nothing aside and limits nothing.
     */
    queryConcurrency: z
      .union([z.int().min(1).max(1_000), z.literal('unreserved')], {
        error: 'must be a whole number from 1 to 1000, or "unreserved"',
      })
      .default(20),
    /**
     * Where alarms are mailed, by severity: `page` needs a person now, `ticket` within days. Everyone
     * confirms a first mail. @default nowhere; subscribe to the topics by hand
     */
    alarmEmails: z.strictObject({ page: addresses, ticket: addresses }).prefault({}),
    /**
     * Where alerts with a target of the type `sns` are mailed. Everyone confirms a first mail.
     * @default nowhere; subscribe to the topic by hand
     */
    alertEmails: addresses,
    /**
     * Page that alarm descriptions link to, one section per alarm: set it to where your copy of
     * `docs/runbook.md` can be read in a browser.
     */
    runbookUrl: z.string().min(1).default('docs/runbook.md'),
  })
  .superRefine((settings, context) => {
    const fault = settings.domain && domainFault(settings.domain, settings);
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['domain'], message: fault });
  });

/** Values of one environment as `config/<environment>.ts` writes them. */
export type EnvironmentSettings = z.input<typeof Settings>;
