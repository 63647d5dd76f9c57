import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Config } from './config.ts';
import { ObservabilityStack } from './observability-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { StorageStack } from './storage-stack.ts';

export interface SluiceStacks {
  readonly storage: StorageStack;
  readonly service: ServiceStack;
  readonly observability: ObservabilityStack;
}

/**
 * Adds the stacks of one environment to an app. Synthesis fails on a finding of cdk-nag's
 * AwsSolutions pack that is not acknowledged where it arises.
 */
export function addStacks(app: App, config: Config): SluiceStacks {
  const env = {
    ...(config.account === undefined ? {} : { account: config.account }),
    ...(config.region === undefined ? {} : { region: config.region }),
  };
  const props = (part: string, description: string) => ({
    stackName: `sluice-${config.environment}-${part}`,
    description: `Sluice (${config.environment}): ${description}`,
    env,
    config,
    // An operator who deletes the wrong stack does not remove the lake.
    terminationProtection: part === 'storage',
  });

  const storage = new StorageStack(app, 'Storage', props('storage', 'lake, registry and cache'));
  const service = new ServiceStack(app, 'Service', {
    ...props('service', 'API, functions, stream and workgroups'),
    storage,
  });
  const observability = new ObservabilityStack(app, 'Observability', {
    ...props('observability', 'dashboard and alarms'),
    storage,
    service,
  });

  Tags.of(app).add('application', 'sluice');
  Tags.of(app).add('environment', config.environment);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { storage, service, observability };
}
