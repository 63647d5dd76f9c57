import { randomInt } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLES, type LocalDynamoDB } from '../../../src/local/dynalite/dynamodb.ts';
import { createTables } from './create-tables.ts';

/**
 * Both tables on a running moto, in an account of their own: moto keeps accounts apart, so that the
 * tables of each test file may have the names that dynalite's have.
 *
 * @param url address of moto's server
 */
export async function startMotoTables(url: string): Promise<LocalDynamoDB> {
  const account = String(randomInt(1e11, 1e12));
  const base = new DynamoDBClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  base.middlewareStack.add(
    (next) => (call) => {
      Object.assign((call.request as { headers: object }).headers, {
        'x-moto-account-id': account,
      });
      return next(call);
    },
    { step: 'build', name: 'motoAccount' },
  );
  await createTables(base, LOCAL_TABLES);
  return { client: DynamoDBDocumentClient.from(base), close: async () => base.destroy() };
}
