import * as z from 'zod';
import { bootstrap } from '../src/bootstrap.ts';
import { DynamoSeedLedger } from '../src/seed-ledger.ts';
import { readEnvironment } from './environment.ts';
import { queryingParts } from './querying.ts';

const environment = readEnvironment('bootstrap');
const parts = queryingParts(environment);

const Request = z.object({
  /** A key of the operator's own, to be added: the way back in when all keys are lost. */
  adminKey: z
    .string()
    .min(20, 'must have at least 20 characters')
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional(),
});

/**
 * Called by an operator after the first deployment: creates the shipped sources and endpoints, and
 * an admin key that is in this answer and nowhere else. Calling it again changes nothing.
 */
export async function handler(event: unknown): Promise<{ adminKey?: string; message: string }> {
  const request = Request.safeParse(event ?? {});
  if (!request.success) throw new Error(z.prettifyError(request.error));
  const { generatedKey } = await bootstrap(
    {
      ...parts,
      ledger: new DynamoSeedLedger({ client: parts.client, table: environment.REGISTRY_TABLE }),
      checkQuery: parts.runner.checkQuery,
    },
    request.data.adminKey,
  );
  return generatedKey === undefined
    ? { message: 'The sources and endpoints are in place, and so is an admin key.' }
    : { adminKey: generatedKey, message: 'Keep this key: it is not stored and not shown again.' };
}
