import { randomUUID } from 'node:crypto';
import { decodeItem } from '../platform/dynamo/decode-item.ts';
import {
  ABSENT,
  type Condition,
  type ItemKey,
  type RegistryTable,
  unchanged,
} from '../platform/dynamo/registry-table.ts';
import { reservationCodec } from './codecs.ts';

/** Lost races before giving up; each one means that another writer got further. */
const MAX_ATTEMPTS = 10;

/** A name held for a token. The nonce tells this holding from an earlier one of the same name. */
export interface Reservation {
  readonly name: string;
  readonly token: string;
  readonly nonce: string;
}

/**
 * Makes sure that an entity neither has a name nor can get it by a change that is under way.
 *
 * @returns false when it has the name.
 */
export type Fence = (token: string, name: string) => Promise<boolean>;

interface NameReservationsDeps {
  readonly table: RegistryTable;
  readonly partition: string;
  readonly fence: Fence;
}

/**
 * Unique names without transactions: one item per name, created under a condition, says who may use
 * it. A reservation whose entity does not have the name is the remains of a crash, or of a change
 * that is still under way; a writer who wants the name fences that entity off first and then takes over.
 */
export class NameReservations {
  readonly #deps: NameReservationsDeps;

  constructor(deps: NameReservationsDeps) {
    this.#deps = deps;
  }

  async find(name: string): Promise<Reservation | undefined> {
    const item = await this.#deps.table.get(this.#key(name));
    return (
      item && { name, ...decodeItem(reservationCodec, item, `${this.#deps.partition} ${name}`) }
    );
  }

  /** False when the name is taken. */
  async reserve(name: string, token: string): Promise<boolean> {
    const mine = { name, token, nonce: randomUUID() };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (await this.#write(mine, ABSENT)) return true;
      const found = await this.find(name);
      if (found === undefined) continue;
      // One's own may be left from an earlier try, also of this very call by the SDK.
      if (found.token !== token && !(await this.#deps.fence(found.token, name))) return false;
      if (await this.#write(mine, unchanged('nonce', found.nonce))) return true;
    }
    return false;
  }

  /** Frees the name that an entity does not have any more. */
  async release({ name, nonce }: Reservation): Promise<void> {
    await this.#deps.table.delete(this.#key(name), unchanged('nonce', nonce));
  }

  #write({ name, token, nonce }: Reservation, condition: Condition): Promise<boolean> {
    return this.#deps.table.put({ ...this.#key(name), token, nonce }, condition);
  }

  #key(name: string): ItemKey {
    return { pk: this.#deps.partition, sk: name };
  }
}
