import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { LOCAL_TABLES, startDynamoDB } from '../../../src/local/dynalite/dynamodb.ts';
import { serveDynamoDB } from '../../support/dynamodb-endpoint.ts';
import { createTables } from '../dynamodb/create-tables.ts';

/** Where the two tables of a chain are. */
export interface ChainTables {
  readonly endpoint: string;
  readonly registry: string;
  readonly cache: string;
  close(): Promise<void>;
}

export interface ChainTablesOptions {
  /** Address of moto's server. */
  readonly moto: string;
  /** Tells the tables of chains apart. */
  readonly id: string;
  /** Where dynalite keeps its own. */
  readonly directory: string;
}

/** The tables on one of the two emulators; those that are there already stay as they are. */
export const CHAIN_TABLES = {
  async moto({ moto, id }: ChainTablesOptions): Promise<ChainTables> {
    const names = { registry: `registry-${id}`, cache: `cache-${id}` };
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const client = new DynamoDBClient({ endpoint: moto, region: 'eu-west-1', credentials });
    try {
      await createTables(client, names);
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    return { endpoint: moto, ...names, close: async () => client.destroy() };
  },

  async dynalite({ directory }: ChainTablesOptions): Promise<ChainTables> {
    const path = join(directory, 'dynalite');
    await mkdir(path, { recursive: true });
    const database = await startDynamoDB(path);
    const served = await serveDynamoDB(database);
    const close = async () => {
      await served.close();
      await database.close();
    };
    return { endpoint: served.endpoint, ...LOCAL_TABLES, close };
  },
} as const;
