import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock.ts';
import { decodeItem } from '../../platform/dynamo/decode-item.ts';
import { type RegistryTable, unchanged } from '../../platform/dynamo/registry-table.ts';
import type { MadeView } from './diff.ts';
import type { ViewRecords } from './view-store.ts';

/** Partition of the records, one item per view; nothing else in the registry may be written with them. */
export const VIEW_PARTITION = 'view';

/** Partition of the right to change views. */
export const VIEW_LEASE_PARTITION = 'view-lease';

const LEASE_KEY = { pk: VIEW_LEASE_PARTITION, sk: 'lease' } as const;

const recordCodec = z.object({ sk: z.string(), hash: z.string(), madeAt: z.number() });

/** Records of views in the registry table, and so with the lifetime of what the views are made from. */
export class DynamoViewRecords implements ViewRecords {
  readonly #table: RegistryTable;
  readonly #clock: Clock;

  constructor(deps: { table: RegistryTable; clock: Clock }) {
    this.#table = deps.table;
    this.#clock = deps.clock;
  }

  async list(): Promise<MadeView[]> {
    const items = await this.#table.query(VIEW_PARTITION);
    return items.map((item) => {
      const { sk, hash, madeAt } = decodeItem(recordCodec, item, `record of view ${item.sk}`);
      return { name: sk, hash, madeAt };
    });
  }

  async begin(name: string): Promise<void> {
    await this.#table.put({ ...viewKey(name), hash: '', madeAt: 0 });
  }

  async finish({ name, hash, madeAt }: MadeView): Promise<void> {
    await this.#table.put({ ...viewKey(name), hash, madeAt });
  }

  async forget(name: string): Promise<void> {
    await this.#table.delete(viewKey(name));
  }

  async acquire(forMs: number): Promise<string | undefined> {
    const holder = randomUUID();
    const now = this.#clock.now();
    const taken = await this.#table.put(
      { ...LEASE_KEY, holder, until: now + forMs },
      {
        ConditionExpression: 'attribute_not_exists(pk) OR #until < :now',
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: { ':now': now },
      },
    );
    if (taken) return holder;
    // The SDK repeats a call whose answer got lost; then the first try has succeeded.
    return (await this.#table.get(LEASE_KEY))?.holder === holder ? holder : undefined;
  }

  async release(holder: string): Promise<void> {
    await this.#table.delete(LEASE_KEY, unchanged('holder', holder));
  }
}

function viewKey(name: string) {
  return { pk: VIEW_PARTITION, sk: name };
}
