import type { Clock } from '../../src/platform/clock.ts';
import type { MetricName, Metrics } from '../../src/platform/metrics.ts';
import { afterEach } from './metrics.ts';

/** Milliseconds between two lines of an instance. */
const INTERVAL_MS = 10_000;

/**
 * Sums of what an instance records, for a function that is called too often for a line each: a line
 * costs as much as the ingest of a small request ($0.50 for a GB of log).
 *
 * The first call writes its line at once, later ones add up until ten seconds have passed. An instance
 * that ends loses what it recorded since its last line, so the sums are ten seconds short at most, and
 * exact where calls are rarer than that.
 */
export class SummedMetrics implements Metrics {
  readonly #to: Metrics & { publish(): void };
  readonly #clock: Clock;
  readonly #sums = new Map<MetricName, number>();
  #publishedAt = Number.NEGATIVE_INFINITY;

  constructor(to: Metrics & { publish(): void }, clock: Clock) {
    this.#to = to;
    this.#clock = clock;
  }

  record(name: MetricName, value: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + value);
  }

  /** Writes a line after a call, when it is time. */
  publishing<Args extends unknown[], Answer>(handler: (...args: Args) => Promise<Answer>) {
    return afterEach(handler, () => this.#publishDue());
  }

  #publishDue(): void {
    const now = this.#clock.now();
    if (this.#sums.size === 0 || now - this.#publishedAt < INTERVAL_MS) return;
    this.#publishedAt = now;
    for (const [name, sum] of this.#sums) this.#to.record(name, sum);
    this.#sums.clear();
    this.#to.publish();
  }
}
