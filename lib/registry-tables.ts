import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { CACHE_TABLE, REGISTRY_TABLE } from '../src/platform/dynamo/table-definitions.ts';

/**
 * The two DynamoDB tables. The registry (sources, endpoints, key hashes, learned schemas) cannot be
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
      // Not `KEPT`: a failed first deployment could not delete a table that is protected, and its rollback
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
}

/** Idle tables cost nothing, and the default encryption key costs no KMS calls. */
const ON_DEMAND = {
  billing: Billing.onDemand(),
  encryption: TableEncryptionV2.dynamoOwnedKey(),
} as const;
