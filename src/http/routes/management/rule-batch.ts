import { ServiceError, ValidationError } from '../../../platform/errors.ts';
import { isJsonObject, type JsonObject } from './request-body.ts';
import type { Rules } from './rules.ts';

/** What came of each rule of a batch. */
export interface BatchOutcome {
  /** What is wrong with those that were not created, in their order. */
  readonly errors: readonly string[];
  /** Those that were created. */
  readonly results: readonly object[];
}

const MAX_BATCH = 100;

/**
 * Creates rules one after the other; what is wrong with one keeps none of the others from being created.
 *
 * @throws ServiceError what would befall every one of them, such as `registry_unavailable`.
 */
export async function createRules(
  rules: Pick<Rules, 'create'>,
  bodies: readonly unknown[],
): Promise<BatchOutcome> {
  if (bodies.length > MAX_BATCH) {
    return { errors: [`has more than ${MAX_BATCH} rules`], results: [] };
  }
  const errors: string[] = [];
  const results: object[] = [];
  for (const body of bodies) {
    try {
      results.push(await rules.create(asObject(body)));
    } catch (error) {
      errors.push(...sentencesOf(error));
    }
  }
  return { errors, results };
}

function asObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw new ValidationError({ rule: ['must be a JSON object'] });
}

/** In Logflare's form: `lql_string can't be blank`. */
function sentencesOf(error: unknown): string[] {
  if (error instanceof ValidationError) {
    return Object.entries(error.errors).flatMap(([field, messages]) =>
      messages.map((message) => `${field} ${message}`),
    );
  }
  if (error instanceof ServiceError && error.status < 500) {
    return [error.status === 404 ? 'the source or the sink does not exist' : error.message];
  }
  throw error;
}
