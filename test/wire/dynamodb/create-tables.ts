import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CACHE_TABLE, REGISTRY_TABLE } from '../../../src/platform/dynamo/table-definitions.ts';

/** Creates the two tables as the storage stack does, under the given names. */
export async function createTables(
  client: DynamoDBClient,
  names: { readonly registry: string; readonly cache: string },
): Promise<void> {
  for (const [name, keys] of [
    [names.registry, REGISTRY_TABLE],
    [names.cache, CACHE_TABLE],
  ] as const) {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: keys.partitionKey, KeyType: 'HASH' },
          { AttributeName: keys.sortKey, KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: keys.partitionKey, AttributeType: 'S' },
          { AttributeName: keys.sortKey, AttributeType: 'S' },
        ],
      }),
    );
  }
}
