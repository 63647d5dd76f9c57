import { createHash } from 'node:crypto';
import type { FlatSchema } from '../lake/schema.ts';
import type { Clock } from '../ports.ts';
import { corrupt, decodeItem, schemaShardCodec } from './codecs.ts';
import { ReadCache } from './read-cache.ts';
import type { RegistryTable } from './table.ts';

/** Up to some 200 KB each. */
const MAX_CACHED = 200;

/**
 * Learned schemas as string sets of `path=bit`, one element per type bit. ADD on a set is atomic and
 * only ever adds, so concurrent writers need no locks and cannot lose each other's findings.
 *
 * A source's paths are spread over up to 16 items: ingest stops learning at 2,000 paths, which with
 * long keys is more than the 400 KB of one item, and an ADD is billed by the size of the whole item.
 */
export class LearnedSchemas {
  readonly #table: RegistryTable;
  readonly #cache: ReadCache<FlatSchema>;

  constructor(deps: { table: RegistryTable; clock: Clock; cacheMs: number }) {
    const { table, clock, cacheMs } = deps;
    this.#table = table;
    this.#cache = new ReadCache({ clock, ttlMs: cacheMs, maxEntries: MAX_CACHED });
  }

  /** Paths in alphabetical order. */
  read(sourceToken: string): Promise<FlatSchema> {
    return this.#cache.get(sourceToken, async () => {
      const masks = new Map<string, number>();
      for (const item of await this.#table.query(partition(sourceToken))) {
        const { paths } = decodeItem(schemaShardCodec, item, `schema of source ${sourceToken}`);
        for (const element of paths) {
          const { path, bit } = parseElement(element, sourceToken);
          masks.set(path, (masks.get(path) ?? 0) | bit);
        }
      }
      const sorted = [...masks].sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(sorted);
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

  async delete(sourceToken: string): Promise<void> {
    const items = await this.#table.query(partition(sourceToken));
    try {
      await Promise.all(
        items.map(({ sk }) => this.#table.delete({ pk: partition(sourceToken), sk: String(sk) })),
      );
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

function partition(sourceToken: string): string {
  return `schema ${sourceToken}`;
}

/** `0` to `f`. */
function shardOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 1);
}

function bitsOf(mask: number): number[] {
  const bits: number[] = [];
  for (let bit = 1; bit <= mask; bit *= 2) {
    if ((mask & bit) !== 0) bits.push(bit);
  }
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
