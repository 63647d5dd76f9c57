import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  Billing,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { CACHE_TABLE, REGISTRY_TABLE } from '../../src/platform/dynamo/table-definitions.ts';
import type { AlarmDefinition } from './runbook-alarms.ts';

/**
 * The two DynamoDB tables. The registry (sources, endpoints, key hashes, inferred schemas) cannot be
 * rebuilt and is kept whatever happens to the stack; the cache (query results, leases, rate limits,
 * refusals) can.
 */
export class RegistryTables extends Construct {
  readonly registry: TableV2;
  readonly cache: TableV2;

  /** Stream of the keys of what changes in the registry. */
  get registryStreamArn(): string {
    const { tableStreamArn } = this.registry;
    if (tableStreamArn === undefined) throw new Error('The registry table has no stream.');
    return tableStreamArn;
  }

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.registry = new TableV2(this, 'Registry', {
      partitionKey: { name: REGISTRY_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: REGISTRY_TABLE.sortKey, type: AttributeType.STRING },
      ...ON_DEMAND,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Says that something changed, for the views of the lake: keys hold no secret, items might. A
      // table with one replica takes a stream in place.
      dynamoStream: StreamViewType.KEYS_ONLY,
      deletionProtection: true,
      // Not `RETAIN`: a failed first deployment could not delete a table that is protected, and its rollback
      // would fail as well. Without a name of its own, one that is left behind is in nobody's way.
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.cache = new TableV2(this, 'Cache', {
      partitionKey: { name: CACHE_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: CACHE_TABLE.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: CACHE_TABLE.ttlAttribute,
      ...ON_DEMAND,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  get alarms(): AlarmDefinition[] {
    return [
      {
        id: 'registry-throttled',
        severity: 'page',
        section: 'table-throttled',
        says: 'DynamoDB refuses reads or writes of the registry.',
        metric: throttledItems(this.registry),
        threshold: 1,
      },
      {
        id: 'cache-throttled',
        severity: 'ticket',
        section: 'table-throttled',
        says: 'DynamoDB refuses reads or writes of the result cache.',
        metric: throttledItems(this.cache),
        threshold: 1,
      },
    ];
  }
}

/**
 * Reads and writes that a table refused.
 *
 * @param label what a graph calls it; graphs of several tables need different ones
 */
export function throttledItems(table: TableV2, label = 'throttled'): IMetric {
  const of = (metricName: string): Metric => table.metric(metricName, { statistic: 'Sum' });
  const [reads, writes] = [`${label}Reads`, `${label}Writes`];
  return new MathExpression({
    // A metric that has no data in a period would make the sum have none.
    expression: `FILL(${reads}, 0) + FILL(${writes}, 0)`,
    usingMetrics: { [reads]: of('ReadThrottleEvents'), [writes]: of('WriteThrottleEvents') },
    period: Duration.minutes(5),
    label,
  });
}

/** Idle tables cost nothing, and the default encryption key costs no KMS calls. */
const ON_DEMAND = {
  billing: Billing.onDemand(),
  encryption: TableEncryptionV2.dynamoOwnedKey(),
} as const;
