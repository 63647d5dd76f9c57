import type { AccessKey } from '../../access/access-key.ts';
import type { Source } from '../../catalog/types.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { TokenLease, type TokenState } from './local-allotment.ts';
import { type Bucket, capacityOf, type DefaultRates, type SharedBuckets } from './token-bucket.ts';

/** Sources and keys that one instance counts for; the one seen first goes first. */
const MAX_LEASES = 10_000;

/** Milliseconds between two lines about shared buckets that cannot be reached. */
const REPORT_MS = 60_000;

/** Whether a request may store events. */
export interface Admission {
  readonly source: Allowance;
  readonly key: Allowance;
  /** What to answer instead, when it may not. */
  readonly refusal: ServiceError | undefined;
  /** To be called with the number of events that were stored. Never throws. */
  charge(events: number): Promise<void>;
}

/** Events per window, and how many of them are left. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
}

/** The parts of a source and of a key that say how much they may send. */
export type LimitedSource = Pick<Source, 'token' | 'api_quota'>;
export type LimitedKey = Pick<AccessKey, 'id' | 'rate_limit'>;

interface RateLimiterDeps {
  readonly shared: SharedBuckets;
  readonly defaults: DefaultRates;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Counts the stored events of sources and keys over all instances of the service. A request is let
 * through while there are tokens, and pays afterwards for what it stored; one large batch may thus
 * leave a debt (Logflare 1.50).
 *
 * When the shared buckets cannot be reached, everything is let through: losing events is worse than
 * storing too many.
 */
export class RateLimiter {
  readonly #deps: RateLimiterDeps;
  readonly #leases = new Map<string, TokenLease>();
  #reportAt = 0;

  constructor(deps: RateLimiterDeps) {
    this.#deps = deps;
  }

  /** Never throws. */
  async admit(source: LimitedSource, key: LimitedKey): Promise<Admission> {
    const ofSource: Bucket = {
      key: `source#${source.token}`,
      rate: source.api_quota ?? this.#deps.defaults.perSource,
    };
    const ofKey: Bucket = {
      key: `key#${key.id}`,
      rate: key.rate_limit ?? this.#deps.defaults.perKey,
    };
    const leases = [this.#lease(ofSource), this.#lease(ofKey)] as const;
    const [sourceState, keyState] = await Promise.all([leases[0].state(), leases[1].state()]);
    return {
      source: allowance(ofSource, sourceState),
      key: allowance(ofKey, keyState),
      refusal:
        rateLimited(ofSource, sourceState, {
          whose: 'Source',
          remedy: `raise the source's "api_quota" with PUT /api/sources/${source.token}`,
        }) ??
        rateLimited(ofKey, keyState, {
          whose: 'User',
          remedy: `raise the access key's "rate_limit" with PUT /api/access-tokens/${key.id}`,
        }),
      charge: async (events) => {
        await Promise.all(leases.map((lease) => lease.charge(events)));
      },
    };
  }

  #lease(bucket: Bucket): TokenLease {
    const known = this.#leases.get(bucket.key);
    if (known?.rate === bucket.rate) return known;
    const [oldest] = this.#leases.keys();
    if (this.#leases.size >= MAX_LEASES && oldest !== undefined) this.#leases.delete(oldest);
    const lease = new TokenLease({
      bucket,
      shared: this.#deps.shared,
      clock: this.#deps.clock,
      onFailure: (error) => this.#report(error),
    });
    this.#leases.set(bucket.key, lease);
    return lease;
  }

  #report(error: unknown): void {
    const now = this.#deps.clock.now();
    // Later than that, it was noted before the clock was set back.
    if (now < this.#reportAt && this.#reportAt <= now + REPORT_MS) return;
    this.#reportAt = now + REPORT_MS;
    this.#deps.logger.error('Rate limits cannot be checked: everything is let through', { error });
  }
}

function allowance(bucket: Bucket, { remaining }: TokenState): Allowance {
  return { limit: capacityOf(bucket), remaining };
}

/** The first sentence is what Logflare 1.50 begins with. */
function rateLimited(
  bucket: Bucket,
  { retryAfterSeconds }: TokenState,
  { whose, remedy }: { whose: 'Source' | 'User'; remedy: string },
): ServiceError | undefined {
  if (retryAfterSeconds === undefined) return undefined;
  return new ServiceError(
    'rate_limited',
    429,
    `${whose} rate is over the API quota. It is ${bucket.rate} events per second, and ` +
      `${capacityOf(bucket)} at once. ` +
      `Send the events again after the seconds in Retry-After, or ${remedy}.`,
    { retryAfterSeconds },
  );
}
