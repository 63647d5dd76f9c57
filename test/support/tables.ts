import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type LocalDynamoDB, startDynamoDB } from '../../src/local/dynalite/dynamodb.ts';
import { startMotoTables } from '../wire/dynamodb/moto-tables.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Which DynamoDB the tests of what is kept in it run on. Dynalite where nothing is said. */
    dynamodb: 'dynalite' | 'moto';
  }
}

/**
 * Both tables, empty, for the tests of one file. They are in dynalite, as on a laptop, and in moto when
 * `npm run test:wire` runs the same files: what one of the two gets wrong about DynamoDB shows there.
 */
export async function openTables(): Promise<LocalDynamoDB> {
  if (inject('dynamodb') === 'moto') return startMotoTables(inject('moto'));
  const directory = await mkdtemp(join(tmpdir(), 'sluice-tables-'));
  const database = await startDynamoDB(directory);
  return {
    client: database.client,
    async close() {
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
