import { snsChannel } from '../../src/alerts/notify/sns.ts';
import { type AlertPartsDeps, alertParts } from '../../src/alerts/parts.ts';
import type { Environment } from './environment.ts';
import { lazy } from './lazy.ts';

/** What alerts are made of on AWS. Targets are on the internet, whatever is asked for. */
export function alertDependencies(
  environment: Pick<Environment<'alerts'>, 'REGISTRY_TABLE' | 'CACHE_TABLE' | 'ALERT_TOPIC'>,
  deps: Omit<AlertPartsDeps, 'tables' | 'reach' | 'sns'>,
) {
  const publish = lazy(async () => {
    const { alertTopic } = await import('./alert-topic.ts');
    return alertTopic(environment.ALERT_TOPIC);
  });
  return alertParts({
    ...deps,
    tables: { registry: environment.REGISTRY_TABLE, cache: environment.CACHE_TABLE },
    reach: { allowLocal: false },
    sns: snsChannel(publish),
  });
}
