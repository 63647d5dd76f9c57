import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { loadConfig } from '../../../lib/config.ts';
import { addStacks } from '../../../lib/sluice-app.ts';
import { LANDING_TABLE } from '../../../src/lake/layout/columns.ts';
import { glueTable } from '../../conformance/support/glue-table.ts';
import { newApp, resources } from '../../lib/stacks.ts';

/** What a deployment makes of a function. */
export interface DeployedFunction {
  /** The bundle's ES module. */
  readonly bundle: string;
  /** Its variables as in the template: text, or a reference to another resource. */
  readonly environment: Readonly<Record<string, unknown>>;
  readonly timeoutSeconds: number;
}

/** What a chain needs of the stacks, as plain data. */
export interface Deployment {
  /** Functions by the name of their file in `lambdas/`. */
  readonly functions: Readonly<Record<string, DeployedFunction>>;
  /** JSON of the landing table's definition, in {@link PLACEHOLDERS}' directory from their first day. */
  readonly table: string;
}

export const PLACEHOLDERS = { directory: '/the-lake-bucket', firstDay: '2001-02-03' } as const;

/**
 * Bundles the functions and synthesizes the templates, as a deployment does first.
 *
 * @param outdir gets the bundles; they are needed for as long as chains run.
 */
export function synthesizeDeployment(outdir: string): Deployment {
  const config = loadConfig('prod');
  const stacks = addStacks(newApp({ outdir }), config);
  const functions = resources(Template.fromStack(stacks.service), 'AWS::Lambda::Function');
  const prefix = `sluice-${config.environment}-`;
  return {
    functions: Object.fromEntries(
      Object.values(functions)
        // CDK has functions of its own, without a name, in stacks with custom resources.
        .filter(({ Properties: { FunctionName } }) => typeof FunctionName === 'string')
        .map(({ Properties: properties }) => {
          const { FunctionName, Code, Environment, Timeout } = properties;
          const deployed: DeployedFunction = {
            bundle: join(outdir, `asset.${Code.S3Key.replace('.zip', '')}`, 'index.mjs'),
            environment: Environment?.Variables ?? {},
            timeoutSeconds: Timeout,
          };
          return [String(FunctionName).replace(prefix, ''), deployed];
        }),
    ),
    table: JSON.stringify(glueTable({ name: LANDING_TABLE, ...PLACEHOLDERS })),
  };
}
