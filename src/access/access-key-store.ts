import * as z from 'zod/mini';
import { decodeItem } from '../platform/dynamo/decode-item.ts';
import {
  ABSENT,
  type Condition,
  type Item,
  PRESENT,
  type RegistryTable,
} from '../platform/dynamo/registry-table.ts';
import { notFound, ValidationError } from '../platform/errors.ts';
import type { AccessKey } from './access-key.ts';

const accessKeyCodec = z.object({
  id: z.string(),
  hash: z.string(),
  scopes: z.array(z.string()),
  description: z.nullable(z.string()),
  // Keys that were made before there was a choice.
  rate_limit: z._default(z.nullable(z.number()), null),
  insertedAt: z.string(),
}) satisfies z.ZodMiniType<AccessKey>;

const PARTITION = 'access-key';

/** A revoked key leaves its item behind, so that revoking it again is told from a wrong id. */
const REVOKED = 'attribute_exists(revokedAt)';
const ABSENT_OR_REVOKED: Condition = {
  ConditionExpression: `${ABSENT.ConditionExpression} OR ${REVOKED}`,
};
const LIVE = `attribute_exists(pk) AND NOT ${REVOKED}`;

/** Access keys under the hash of their secret, so that a lookup is one read. Uncached. */
export class AccessKeyStore {
  readonly #table: RegistryTable;

  constructor(table: RegistryTable) {
    this.#table = table;
  }

  /** Oldest first. */
  async list(): Promise<AccessKey[]> {
    const items = await this.#table.query(PARTITION);
    const live = items.filter((item) => item.revokedAt === undefined).map(decode);
    return live.sort((a, b) => (a.insertedAt < b.insertedAt ? -1 : 1));
  }

  async byHash(hash: string): Promise<AccessKey | undefined> {
    const item = await this.#table.get({ pk: PARTITION, sk: hash });
    return item === undefined || item.revokedAt !== undefined ? undefined : decode(item);
  }

  async create(key: AccessKey): Promise<void> {
    const item = {
      pk: PARTITION,
      sk: key.hash,
      ...z.encode(accessKeyCodec, { ...key, scopes: [...key.scopes] }),
    };
    if (await this.#table.put(item, ABSENT_OR_REVOKED)) return;
    // The SDK repeats a call whose answer got lost; then the first try has succeeded.
    if ((await this.byHash(key.hash))?.id === key.id) return;
    throw new ValidationError({ token: ['has already been taken'] });
  }

  async update(key: AccessKey): Promise<void> {
    const updated = await this.#table.update(
      { pk: PARTITION, sk: key.hash },
      {
        UpdateExpression:
          'SET scopes = :scopes, description = :description, rate_limit = :rate_limit',
        ConditionExpression: LIVE,
        ExpressionAttributeValues: {
          ':scopes': [...key.scopes],
          ':description': key.description,
          ':rate_limit': key.rate_limit,
        },
      },
    );
    if (!updated) throw notFound();
  }

  /** @param revokedAt RFC 3339. */
  async revoke(id: string, revokedAt: string): Promise<void> {
    // Not decoded: a key that cannot be read must be revocable.
    const item = (await this.#table.query(PARTITION)).find((candidate) => candidate.id === id);
    if (item === undefined) throw notFound();
    await this.#table.update(
      { pk: PARTITION, sk: String(item.sk) },
      {
        UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :at)',
        ExpressionAttributeValues: { ':at': revokedAt },
        ...PRESENT,
      },
    );
  }
}

function decode(item: Item): AccessKey {
  return decodeItem(accessKeyCodec, item, `access key ${item.id}`);
}
