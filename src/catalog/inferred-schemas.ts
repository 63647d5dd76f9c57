import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { corrupt, decodeItem } from '../platform/dynamo/decode-item.ts';
import { ABSENT, type Condition, type RegistryTable } from '../platform/dynamo/registry-table.ts';
import { ReadCache } from '../platform/read-cache.ts';
import { schemaShardCodec, slotsCodec } from './codecs.ts';
import type { FlatSchema, SourceSchema } from './source-schema.ts';

/** Sort key of the item that holds a source's slots; those of its types are single characters. */
const SLOTS = 'slots';

/** Up to some 200 KB each. */
const MAX_CACHED = 200;

/**
 * Inferred schemas as string sets of `path=bit`, one element per type bit. ADD on a set is atomic and
 * only ever adds, so concurrent writers need no locks and cannot lose each other's findings.
 *
 * A source's paths are spread over up to 16 items: ingest stops learning at 2,000 paths, which with
 * long keys is more than the 400 KB of one item, and an ADD is billed by the size of the whole item.
 *
 * Nothing here is ever deleted, with the source neither: its rows stay, under a token that may be used
 * again, and instances of ingest go by what they have saved.
 */
export class InferredSchemas {
  readonly #table: RegistryTable;
  readonly #cache: ReadCache<SourceSchema>;

  constructor(deps: { table: RegistryTable; clock: Clock; cacheMs: number }) {
    const { table, clock, cacheMs } = deps;
    this.#table = table;
    this.#cache = new ReadCache({ clock, ttlMs: cacheMs, maxEntries: MAX_CACHED });
  }

  /** Paths in alphabetical order. */
  read(sourceToken: string): Promise<SourceSchema> {
    return this.#cache.get(sourceToken, async () => {
      const masks = new Map<string, number>();
      let slots: readonly string[] = [];
      for (const item of await this.#table.query(partition(sourceToken))) {
        if (item.sk === SLOTS) {
          slots = decodeItem(slotsCodec, item, `slots of source ${sourceToken}`).slots;
          continue;
        }
        const { paths } = decodeItem(schemaShardCodec, item, `schema of source ${sourceToken}`);
        for (const element of paths) {
          const { path, bit } = parseElement(element, sourceToken);
          masks.set(path, (masks.get(path) ?? 0) | bit);
        }
      }
      const sorted = [...masks].sort(([a], [b]) => (a < b ? -1 : 1));
      return { types: Object.fromEntries(sorted), slots };
    });
  }

  async add(sourceToken: string, added: FlatSchema): Promise<void> {
    const shards = new Map<string, Set<string>>();
    for (const [path, mask] of Object.entries(added)) {
      const shard = shardOf(path);
      const elements = shards.get(shard) ?? new Set();
      for (const bit of bitsOf(mask)) elements.add(`${path}=${bit}`);
      if (elements.size > 0) shards.set(shard, elements);
    }
    try {
      await Promise.all([...shards].map(([shard, set]) => this.#add(sourceToken, shard, set)));
    } finally {
      this.#cache.forget(sourceToken);
    }
  }

  /** See `Registry.assignSlots`. */
  async assign(
    sourceToken: string,
    known: readonly string[],
    added: readonly string[],
  ): Promise<readonly string[]> {
    const key = { pk: partition(sourceToken), sk: SLOTS };
    const slots = [...known, ...added];
    const { ExpressionAttributeValues: values, ...condition } =
      known.length === 0 ? ABSENT : stillAsMany(known.length);
    try {
      const isGiven = await this.#table.update(key, {
        ...condition,
        UpdateExpression: 'SET slots = :slots',
        ExpressionAttributeValues: { ...values, ':slots': slots },
      });
      if (isGiven) return slots;
      const item = await this.#table.get(key);
      return item === undefined
        ? []
        : decodeItem(slotsCodec, item, `slots of source ${sourceToken}`).slots;
    } finally {
      this.#cache.forget(sourceToken);
    }
  }

  #add(sourceToken: string, shard: string, elements: ReadonlySet<string>): Promise<boolean> {
    return this.#table.update(
      { pk: partition(sourceToken), sk: shard },
      { UpdateExpression: 'ADD paths :added', ExpressionAttributeValues: { ':added': elements } },
    );
  }
}

/** The list only grows: one that is as long is the same. */
function stillAsMany(slots: number): Condition {
  return {
    ConditionExpression: 'size(slots) = :count',
    ExpressionAttributeValues: { ':count': slots },
  };
}

function partition(sourceToken: string): string {
  return `schema ${sourceToken}`;
}

/** `0` to `f`. */
function shardOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 1);
}

function bitsOf(mask: number): number[] {
  const bits: number[] = [];
  for (let bit = 1; bit <= mask; bit *= 2) if ((mask & bit) !== 0) bits.push(bit);
  return bits;
}

/** Paths may hold an equals sign; the last one is ours. */
function parseElement(element: string, sourceToken: string): { path: string; bit: number } {
  const split = element.lastIndexOf('=');
  const bit = Number(element.slice(split + 1));
  if (split < 1 || !Number.isInteger(bit) || bit < 1) {
    throw corrupt(`schema of source ${sourceToken}`, ['paths']);
  }
  return { path: element.slice(0, split), bit };
}
