import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../platform/clock.ts';
import { decodeItem } from '../platform/dynamo/decode-item.ts';
import {
  ABSENT,
  type Condition,
  type Item,
  isUnavailable,
  type RegistryTable,
  unchanged,
} from '../platform/dynamo/registry-table.ts';
import { notFound, ServiceError, ValidationError } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { ReadCache } from '../platform/read-cache.ts';
import { stateCodec } from './codecs.ts';
import { NameReservations, type Reservation } from './name-reservations.ts';
import type { ReadOptions } from './types.ts';

const TAKEN = 'has already been taken';

/** Sources and endpoints of one team fit many times; the bound is against lookups of made-up names. */
const MAX_CACHED = 10_000;

/** Lost races before giving up; each one means that another writer got further. */
const MAX_ATTEMPTS = 10;

/** Nothing there, or the beginnings of a creation that may have died. */
const VACANT: Condition = {
  ConditionExpression: `${ABSENT.ConditionExpression} OR attribute_exists(pending)`,
};

interface NamedEntity {
  readonly token: string;
  readonly name: string;
  readonly updatedAt: string;
}

/** The state of an entity item. */
interface Stored<T> {
  readonly entity: T;
  /** Differs with every write; a write under the condition that it is unchanged misses nothing. */
  readonly writeId: string;
  /** Set until the name of a new entity is certain; until then no reader sees it. */
  readonly pending?: true;
}

/**
 * Entities that are found by token and by unique name. One partition holds them, another their names.
 *
 * Every change takes effect with one conditional write of the entity item. The name item is reserved
 * before that and is good only while its entity has that very name, so a change that fails or dies
 * half way leaves nothing behind but a reservation that the next one to want the name takes over.
 */
export class NamedStore<T extends NamedEntity> {
  readonly #kind: string;
  readonly #codec: z.ZodMiniType<T, Item>;
  readonly #table: RegistryTable;
  readonly #names: NameReservations;
  readonly #cache: ReadCache<T | undefined>;
  readonly #allNames: ReadCache<readonly string[]>;

  constructor(deps: {
    /** What the entities are, and the name of their partition. */
    kind: 'source' | 'endpoint' | 'alert';
    codec: z.ZodMiniType<T, Item>;
    table: RegistryTable;
    clock: Clock;
    cacheMs: number;
    /** How old what was read may get while DynamoDB cannot answer, milliseconds. @default `cacheMs` */
    maxStaleMs?: number;
    logger?: Logger | undefined;
  }) {
    const { kind, codec, table, clock, cacheMs, maxStaleMs = 0, logger } = deps;
    this.#kind = kind;
    this.#codec = codec;
    this.#table = table;
    this.#cache = new ReadCache({
      clock,
      ttlMs: cacheMs,
      maxEntries: MAX_CACHED,
      stale: {
        maxAgeMs: maxStaleMs,
        isPassing: isUnavailable,
        report: (key, ageMs, error) =>
          logger?.warn('The registry does not answer, so what was read before is used', {
            [kind]: key,
            ageMs,
            error,
          }),
      },
    });
    this.#allNames = new ReadCache({ clock, ttlMs: cacheMs, maxEntries: 1 });
    this.#names = new NameReservations({
      table,
      partition: `${kind}-name`,
      fence: (token, name) => this.#fence(token, name),
    });
  }

  /** Ordered by name, never cached. */
  async list(): Promise<T[]> {
    const items = await this.#table.query(this.#kind);
    const entities = items
      .map((item) => this.#decode(item))
      .filter(({ pending }) => !pending)
      .map(({ entity }) => entity);
    return entities.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** All names, also of items that cannot be read otherwise; in no order. */
  names(): Promise<readonly string[]> {
    return this.#allNames.get('', async () => {
      const items = await this.#table.query(this.#kind);
      const live = items.filter(({ pending }) => pending === undefined);
      return live.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
    });
  }

  byToken(token: string, options: ReadOptions = {}): Promise<T | undefined> {
    const id = token.toLowerCase();
    const key = `token ${id}`;
    if (options.fresh) this.#cache.forget(key);
    return this.#cache.get(key, async () => (await this.#readLive(id))?.entity);
  }

  byName(name: string): Promise<T | undefined> {
    return this.#cache.get(`name ${name}`, async () => {
      const reservation = await this.#names.find(name);
      const stored = reservation && (await this.#readLive(reservation.token));
      return stored?.entity.name === name ? stored.entity : undefined;
    });
  }

  create(entity: T): Promise<void> {
    return this.#changing(async () => {
      const draft = { entity, writeId: randomUUID(), pending: true } as const;
      if (!(await this.#table.put(this.#encode(draft), VACANT))) throw taken('token');
      const unseen = unchanged('writeId', draft.writeId);
      if (!(await this.#names.reserve(entity.name, entity.token))) {
        await this.#table.delete(this.#key(entity.token), unseen);
        throw taken('name');
      }
      if (!(await this.#write(entity, unseen))) {
        throw taken((await this.#read(entity.token)) ? 'token' : 'name');
      }
    });
  }

  update(entity: T, base?: T): Promise<void> {
    return this.#changing(async () => {
      const stored = await this.#readLive(entity.token);
      if (stored === undefined) throw notFound();
      if (base !== undefined && base.updatedAt !== stored.entity.updatedAt) throw this.#conflict();

      const seen = unchanged('writeId', stored.writeId);
      if (entity.name === stored.entity.name) {
        if (!(await this.#write(entity, seen))) throw this.#conflict();
        return;
      }
      const former = await this.#ownReservation(stored.entity);
      if (!(await this.#names.reserve(entity.name, entity.token))) throw taken('name');
      if (!(await this.#write(entity, seen))) throw this.#conflict();
      if (former) await this.#names.release(former);
    });
  }

  /** Works on an item that cannot be read as well, so that it can be got rid of. */
  delete(token: string): Promise<void> {
    return this.#changing(async () => {
      const name = (await this.#table.get(this.#key(token)))?.name;
      const former = typeof name === 'string' && (await this.#ownReservation({ token, name }));
      await this.#table.delete(this.#key(token));
      if (former) await this.#names.release(former);
    });
  }

  /** To be read before the name is given up: after that a new one may be there already. */
  async #ownReservation(entity: { token: string; name: string }): Promise<Reservation | undefined> {
    const reservation = await this.#names.find(entity.name);
    return reservation?.token === entity.token ? reservation : undefined;
  }

  async #fence(token: string, name: string): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const stored = await this.#read(token);
      if (stored === undefined) return true;
      if (!stored.pending && stored.entity.name === name) return false;
      const seen = unchanged('writeId', stored.writeId);
      const fenced = stored.pending
        ? await this.#table.delete(this.#key(token), seen)
        : await this.#write(stored.entity, seen);
      if (fenced) return true;
    }
    throw this.#conflict();
  }

  /** False when the condition did not hold. On any other failure the outcome is not known. */
  async #write(entity: T, condition: Condition): Promise<boolean> {
    const writeId = randomUUID();
    if (await this.#table.put(this.#encode({ entity, writeId }), condition)) return true;
    // The SDK repeats a call whose answer got lost; then the first try has succeeded.
    return (await this.#read(entity.token))?.writeId === writeId;
  }

  /**
   * Writes are rare, so all cached entries go: by token, by the old name and by the new one. They go
   * also when the change is refused, since the first writer's change may not have been seen here yet.
   */
  async #changing(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } finally {
      this.#cache.clear();
      this.#allNames.clear();
    }
  }

  async #readLive(token: string): Promise<Stored<T> | undefined> {
    const stored = await this.#read(token);
    return stored?.pending ? undefined : stored;
  }

  async #read(token: string): Promise<Stored<T> | undefined> {
    const item = await this.#table.get(this.#key(token));
    return item && this.#decode(item);
  }

  #decode(item: Item): Stored<T> {
    const what = `${this.#kind} ${item.sk}`;
    return { entity: decodeItem(this.#codec, item, what), ...decodeItem(stateCodec, item, what) };
  }

  #encode({ entity, ...state }: Stored<T>) {
    return { ...z.encode(this.#codec, entity), ...state, ...this.#key(entity.token) };
  }

  #key(token: string) {
    return { pk: this.#kind, sk: token };
  }

  #conflict(): ServiceError {
    return new ServiceError(
      'conflict',
      409,
      `Another caller changed this ${this.#kind} at the same time. Read it again and repeat the change.`,
    );
  }
}

function taken(field: 'name' | 'token'): ValidationError {
  return new ValidationError({ [field]: [TAKEN] });
}
