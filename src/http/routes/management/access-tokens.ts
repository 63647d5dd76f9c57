import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { AccessKey } from '../../../access/access-key.ts';
import type { Authenticator } from '../../../access/authenticator.ts';
import { generateKey, hashKey } from '../../../access/keys.ts';
import { timestampAfter } from '../../../catalog/timestamp-after.ts';
import type { Registry } from '../../../catalog/types.ts';
import type { Clock } from '../../../platform/clock.ts';
import { notFound, ValidationError } from '../../../platform/errors.ts';
import { descriptionField, INVALID, readFields, withDefault } from './fields.ts';
import { IGNORED_OF_ACCESS_TOKENS } from './ignored-fields.ts';
import type { JsonObject } from './request-body.ts';
import type { Resource } from './resource.ts';
import { DEFAULT_SCOPE, parseScopes } from './scopes.ts';
import { rateField } from './source-fields.ts';

const LAST_PRIVATE = 'belongs to the last key that may manage; create another one first';

const keyFields = z.object({
  scopes: withDefault(z.string(INVALID), DEFAULT_SCOPE).exactOptional(),
  description: descriptionField.exactOptional(),
  rate_limit: rateField.exactOptional(),
});

interface AccessTokensDeps {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly authenticator: Pick<Authenticator, 'forget'>;
}

/** Access keys, under the name that Logflare's clients know them by. */
export class AccessTokens implements Resource {
  readonly #deps: AccessTokensDeps;

  constructor(deps: AccessTokensDeps) {
    this.#deps = deps;
  }

  async list(): Promise<object[]> {
    return (await this.#deps.registry.listAccessKeys()).map((key) => render(key));
  }

  /** The one answer that shows the secret. */
  async create(body: JsonObject): Promise<object> {
    const fields = readFields(keyFields, body, IGNORED_OF_ACCESS_TOKENS);
    const secret = generateKey();
    const key: AccessKey = {
      id: randomUUID(),
      hash: hashKey(secret),
      scopes: await parseScopes(fields.scopes ?? DEFAULT_SCOPE, this.#deps.registry),
      description: fields.description ?? null,
      rate_limit: fields.rate_limit ?? null,
      insertedAt: timestampAfter(this.#deps.clock),
    };
    await this.#deps.registry.createAccessKey(key);
    return render(key, secret);
  }

  async show(id: string): Promise<object> {
    const { key } = await this.#find(id);
    if (key === undefined) throw notFound();
    return render(key);
  }

  async update(id: string, body: JsonObject): Promise<object> {
    const { key, isLastPrivate } = await this.#find(id);
    if (key === undefined) throw notFound();
    const { scopes, ...fields } = readFields(keyFields, body, IGNORED_OF_ACCESS_TOKENS);
    const changed: AccessKey = {
      ...key,
      ...fields,
      ...(scopes === undefined ? {} : { scopes: await parseScopes(scopes, this.#deps.registry) }),
    };
    if (isLastPrivate && !isPrivate(changed)) throw new ValidationError({ scopes: [LAST_PRIVATE] });
    await this.#deps.registry.updateAccessKey(changed);
    this.#deps.authenticator.forget(key.hash);
    return render(changed);
  }

  /** Revokes a key. Doing so twice is fine (Logflare 1.50). */
  async remove(id: string): Promise<void> {
    const { key, isLastPrivate } = await this.#find(id);
    if (isLastPrivate) throw new ValidationError({ scopes: [LAST_PRIVATE] });
    await this.#deps.registry.deleteAccessKey(id.toLowerCase());
    if (key !== undefined) this.#deps.authenticator.forget(key.hash);
  }

  async #find(id: string): Promise<{ key: AccessKey | undefined; isLastPrivate: boolean }> {
    const keys = await this.#deps.registry.listAccessKeys();
    const key = keys.find((candidate) => candidate.id === id.toLowerCase());
    const managing = keys.filter(isPrivate);
    return { key, isLastPrivate: managing.length === 1 && managing[0] === key };
  }
}

function isPrivate(key: AccessKey): boolean {
  return key.scopes.includes('private');
}

function render(key: AccessKey, secret?: string): object {
  const { id, scopes, description, rate_limit, insertedAt } = key;
  const token = secret ?? null;
  return { id, token, scopes: scopes.join(' '), description, rate_limit, inserted_at: insertedAt };
}
