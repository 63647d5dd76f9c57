import { DeleteCommand, type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/clock.ts';
import { CACHE_TABLE } from '../../platform/dynamo/table-definitions.ts';

/**
 * Deletes the items of the cache table whose time to live has passed, as DynamoDB does by itself and
 * dynalite does not: without it, every query ever asked would stay on the laptop's disk.
 *
 * @returns how many items were deleted.
 */
export async function deleteExpiredItems(deps: {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
}): Promise<number> {
  const { client, table, clock } = deps;
  const { partitionKey, sortKey, ttlAttribute } = CACHE_TABLE;
  const now = Math.floor(clock.now() / 1_000);
  const expired = {
    TableName: table,
    FilterExpression: '#ttl < :now',
    ProjectionExpression: '#pk, #sk',
    ExpressionAttributeNames: { '#ttl': ttlAttribute, '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':now': now },
  };
  let deleted = 0;
  for await (const page of paginateScan({ client }, expired)) {
    for (const Key of page.Items ?? []) {
      await client
        .send(
          // Between the scan and this, a refresh may have written the item anew.
          new DeleteCommand({
            TableName: table,
            Key,
            ConditionExpression: 'attribute_not_exists(#ttl) OR #ttl < :now',
            ExpressionAttributeNames: { '#ttl': ttlAttribute },
            ExpressionAttributeValues: { ':now': now },
          }),
        )
        .catch(ignoreRewritten);
      deleted += 1;
    }
  }
  return deleted;
}

function ignoreRewritten(error: unknown): void {
  if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
}
