/** Writes items and says so; then waits to be killed. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLES, startDynamoDB } from '../../../src/local/dynalite/dynamodb.ts';

const { client } = await startDynamoDB(String(process.argv[2]));
for (let index = 0; index < 50; index++) {
  const Item = { pk: 'test', sk: `item-${index}`, value: `item-${index}` };
  await client.send(new PutCommand({ TableName: LOCAL_TABLES.registry, Item }));
}
process.stdout.write('written\n');
