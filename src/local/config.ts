import { resolve } from 'node:path';
import * as z from 'zod';
import { DEFAULT_RATES, type DefaultRates, MAX_RATE } from '../ingest/limits/token-bucket.ts';
import { LOG_LEVELS, type LogLevel } from '../platform/log.ts';
import {
  CONCURRENT_QUERIES,
  DEFAULT_LOCAL_LIMITS,
  type LocalLimits,
} from '../query/execution/duckdb/local-limits.ts';

/** How the local server runs. Read from the environment by {@link readConfig}. */
export interface LocalConfig {
  /** `PORT`; 0 takes any free port. */
  readonly port: number;
  /** `HOST`, the address to listen on. */
  readonly host: string;
  /** `SLUICE_DATA_DIR` as an absolute path. */
  readonly dataDirectory: string;
  /** `SLUICE_ADMIN_KEY`: a key that may do everything; one is generated when absent. */
  readonly adminKey: string | undefined;
  /** `SLUICE_LOG_LEVEL`. */
  readonly logLevel: LogLevel;
  /** `SLUICE_SOURCE_RATE_LIMIT` and `SLUICE_KEY_RATE_LIMIT`, events per second. */
  readonly rateLimits: DefaultRates;
  /** `SLUICE_QUERY_MEMORY_MB`, `SLUICE_SPILL_MB`, `SLUICE_RESULT_MB`, `SLUICE_CACHE_MB`, `SLUICE_QUERIES_PER_KEY`. */
  readonly limits: LocalLimits;
  /** `SLUICE_ALERTS_ALLOW_LOCAL`: alerts may be sent over plain HTTP and to loopback. Default false. */
  readonly allowLocalTargets?: boolean;
}

/** Something the person who starts the server has to change; its message is all they need. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be between ${least} and ${most}`);

const rate = whole(1, MAX_RATE);
/** A terabyte, in megabytes of 1,024². */
const MOST_MB = 1_048_576;

const environment = z.object({
  PORT: whole(0, 65_535).default(4000),
  // Loopback: keys and logs travel as plain HTTP here. A container sets 0.0.0.0.
  HOST: z.string().default('127.0.0.1'),
  SLUICE_DATA_DIR: z.string().default('.sluice'),
  // A key is sent as a header value, where other characters would not arrive as they are written.
  SLUICE_ADMIN_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional(),
  SLUICE_LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info'),
  SLUICE_SOURCE_RATE_LIMIT: rate.default(DEFAULT_RATES.perSource),
  SLUICE_KEY_RATE_LIMIT: rate.default(DEFAULT_RATES.perKey),
  SLUICE_QUERY_MEMORY_MB: whole(128, MOST_MB).default(DEFAULT_LOCAL_LIMITS.queryMemoryMiB),
  SLUICE_SPILL_MB: whole(0, MOST_MB).default(DEFAULT_LOCAL_LIMITS.spillMiB),
  SLUICE_RESULT_MB: whole(1, 256).default(DEFAULT_LOCAL_LIMITS.resultMiB),
  SLUICE_CACHE_MB: whole(0, MOST_MB).default(DEFAULT_LOCAL_LIMITS.cacheMiB),
  SLUICE_QUERIES_PER_KEY: whole(1, CONCURRENT_QUERIES).default(DEFAULT_LOCAL_LIMITS.queriesPerKey),
  SLUICE_ALERTS_ALLOW_LOCAL: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((text) => text === 'true'),
});

/**
 * @param env variables by name; an empty one counts as not set, as compose files write it.
 * @throws StartError naming every variable that is wrong, and why. Values are left out: one of them
 *   is a secret.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): LocalConfig {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new StartError(`The environment is not valid: ${problems.join('; ')}.`);
  }
  const { PORT, HOST, SLUICE_DATA_DIR, SLUICE_ADMIN_KEY, SLUICE_LOG_LEVEL } = parsed.data;
  const { SLUICE_SOURCE_RATE_LIMIT, SLUICE_KEY_RATE_LIMIT } = parsed.data;
  return {
    port: PORT,
    host: HOST,
    dataDirectory: resolve(SLUICE_DATA_DIR),
    adminKey: SLUICE_ADMIN_KEY,
    logLevel: SLUICE_LOG_LEVEL,
    allowLocalTargets: parsed.data.SLUICE_ALERTS_ALLOW_LOCAL,
    rateLimits: { perSource: SLUICE_SOURCE_RATE_LIMIT, perKey: SLUICE_KEY_RATE_LIMIT },
    limits: {
      queryMemoryMiB: parsed.data.SLUICE_QUERY_MEMORY_MB,
      spillMiB: parsed.data.SLUICE_SPILL_MB,
      resultMiB: parsed.data.SLUICE_RESULT_MB,
      cacheMiB: parsed.data.SLUICE_CACHE_MB,
      queriesPerKey: parsed.data.SLUICE_QUERIES_PER_KEY,
    },
  };
}
