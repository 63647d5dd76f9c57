import { Warmer } from '../src/query/warming/warmer.ts';
import { readEnvironment } from './shared/environment.ts';
import { afterEach } from './shared/metrics.ts';
import { recordedQueryDependencies } from './shared/query-dependencies.ts';

const parts = recordedQueryDependencies(readEnvironment('warmer'));
const warmer = new Warmer(parts);

/** Called every minute. What could not be refreshed is logged, and due again in the next minute. */
export const handler = parts.metrics.publishing(
  afterEach(
    async () => {
      const pass = await warmer.runOnce();
      parts.metrics.record('WarmingBacklog', pass.postponed);
      return pass;
    },
    () => parts.queryLog.flush(),
  ),
);
