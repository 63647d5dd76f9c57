import { Metrics as Powertools } from '@aws-lambda-powertools/metrics';
import {
  METRIC_DIMENSIONS,
  METRICS,
  type MetricName,
  type Metrics,
} from '../../src/platform/metrics.ts';

/**
 * Metrics in CloudWatch's embedded format: lines of the function's log that CloudWatch takes apart.
 * Powertools writes them past Lambda's own console, whose JSON format would wrap them.
 */
export class EmbeddedMetrics implements Metrics {
  readonly #lines: Powertools;

  constructor(namespace: string) {
    this.#lines = new Powertools({ namespace, serviceName: METRIC_DIMENSIONS.service });
  }

  record(name: MetricName, value: number): void {
    this.#lines.addMetric(name, METRICS[name], value);
  }

  /** Writes what was recorded. */
  publish(): void {
    // Powertools warns where there is nothing.
    if (this.#lines.hasStoredMetrics()) this.#lines.publishStoredMetrics();
  }

  /** Writes what each call of a function has recorded, in one line, when it ends in whatever way. */
  publishing<Args extends unknown[], Answer>(handler: (...args: Args) => Promise<Answer>) {
    return afterEach(handler, () => this.publish());
  }
}

/**
 * Does something when a call of a function has ended, in whatever way, and before it is answered: Lambda
 * stands still from then on.
 *
 * @param done must not throw.
 */
export function afterEach<Args extends unknown[], Answer>(
  handler: (...args: Args) => Promise<Answer>,
  done: () => void | Promise<void>,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    try {
      return await handler(...args);
    } finally {
      await done();
    }
  };
}
