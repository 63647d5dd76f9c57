import { Warmer } from '../src/query/warming/warmer.ts';
import { readEnvironment } from './environment.ts';
import { afterEach } from './metrics.ts';
import { recordedQueryingParts } from './querying.ts';

const parts = recordedQueryingParts(readEnvironment('warmer'));
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
