import { alertRunner } from '../src/alerts/runner-parts.ts';
import { alertDependencies } from './shared/alert-dependencies.ts';
import { readEnvironment } from './shared/environment.ts';
import { afterEach } from './shared/metrics.ts';
import { recordedQueryDependencies } from './shared/query-dependencies.ts';

const environment = readEnvironment('alerts');
const parts = recordedQueryDependencies(environment);
const runner = alertRunner(alertDependencies(environment, parts), parts, parts.own);

/** Called every minute. What a pass does not get to, and what is still running, is the next one's. */
export const handler = parts.metrics.publishing(
  afterEach(
    () => runner.runOnce(),
    () => parts.queryLog.flush(),
  ),
);
