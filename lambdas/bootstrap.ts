import * as z from 'zod/mini';
import { bootstrap } from '../src/bootstrap/bootstrap.ts';
import { DynamoSeedLog } from '../src/bootstrap/seed-log.ts';
import { systemSleep } from '../src/platform/concurrency/sleep.ts';
import { ServiceError } from '../src/platform/errors.ts';
import { AdminKey, readAdminKey } from './shared/admin-key.ts';
import {
  answerRequest,
  type CustomResourceRequest,
  isCustomResourceRequest,
} from './shared/custom-resource.ts';
import { readEnvironment } from './shared/environment.ts';
import { queryDependencies } from './shared/query-dependencies.ts';

const environment = readEnvironment('bootstrap');
const parts = queryDependencies(environment);

const Call = z.object({
  /** A key of the operator's own, to be added: the way back in when all keys are lost. */
  adminKey: z.optional(AdminKey),
});

const FAILED = 'The shipped sources, endpoints and the admin key could not be put in place.';

/**
 * Milliseconds between attempts of a deployment: permissions that were just given may take some
 * seconds to be there, and a deployment that fails is rolled back whole.
 */
const WAITS_MS = [5_000, 15_000];

/**
 * Creates the shipped sources and endpoints, and makes the key in Secrets Manager an admin key. What is
 * there already, or was and is not wanted any more, is left alone. CloudFormation calls it with every
 * deployment that ships something new; an operator may, at any time.
 */
export async function handler(event: unknown): Promise<{ message: string } | undefined> {
  if (isCustomResourceRequest(event)) {
    await deploy(event);
    return undefined;
  }
  const call = Call.safeParse(event ?? {});
  if (!call.success) throw new Error(z.prettifyError(call.error));
  const { adminKey } = call.data;
  await seed(adminKey);
  return {
    message: `The sources and endpoints are in place, and so is ${adminKey === undefined ? 'the admin key in Secrets Manager' : 'the admin key you gave'}.`,
  };
}

/** @param adminKey the operator's own, which needs no secret: that may be what is lost. */
async function seed(adminKey?: string): Promise<void> {
  const issued =
    adminKey === undefined ? await readAdminKey(environment.ADMIN_KEY_SECRET) : undefined;
  const seedLog = new DynamoSeedLog({
    client: parts.client,
    table: environment.REGISTRY_TABLE,
  });
  await bootstrap(
    { ...parts, seedLog: seedLog, checkQuery: parts.runner.checkQuery },
    adminKey,
    issued,
  );
}

/** What was created stays when the stack is deleted: it is the registry's, which stays too. */
async function deploy(request: CustomResourceRequest): Promise<void> {
  const outcome = request.RequestType === 'Delete' ? undefined : await seedInTime();
  await answerRequest(request, outcome);
}

/** Why nothing came of it; undefined when all is in place. */
async function seedInTime(): Promise<string | undefined> {
  for (let attempt = 0; ; attempt++) {
    try {
      await seed();
      return undefined;
    } catch (error) {
      const waitMs = WAITS_MS[attempt];
      parts.logger.error(FAILED, { attempt: attempt + 1, error });
      if (waitMs === undefined) return failure(error);
      await systemSleep(waitMs);
    }
  }
}

/** For whoever deploys. What AWS says of its own errors is in the log, where nobody else reads it. */
function failure(error: unknown): string {
  const why =
    error instanceof ServiceError ? error.message : `It ended with ${(error as Error).name}.`;
  return (
    `${FAILED} ${why} ` +
    `The log group ${process.env.AWS_LAMBDA_LOG_GROUP_NAME} says more. Mend the cause and deploy ` +
    'again: what is there already stays as it is.'
  );
}
