import { athenaClient } from '../../src/platform/athena/athena-client.ts';
import { AthenaEngine, type AthenaEngineDeps } from '../../src/platform/athena/athena-engine.ts';
import type { Environment } from './environment.ts';

/** Athena in the service's workgroup. */
export function athenaEngine(
  environment: Pick<Environment<'management'>, 'WORKGROUP' | 'LAKE_DATABASE'>,
  deps: Pick<AthenaEngineDeps, 'clock' | 'logger'>,
): AthenaEngine {
  return new AthenaEngine({
    ...deps,
    client: athenaClient(),
    workGroup: environment.WORKGROUP,
    database: environment.LAKE_DATABASE,
  });
}
