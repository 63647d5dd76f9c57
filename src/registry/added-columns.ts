import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { ServiceError } from '../errors.ts';
import { type AddedColumnEntry, isEntryOf } from '../lake/added-columns.ts';
import type { PromotedColumn } from '../lake/columns.ts';
import type { Clock } from '../ports.ts';
import { addedColumnsCodec, decodeItem } from './codecs.ts';
import { COMPACTION_PARTITION } from './compaction-state.ts';
import { ReadCache } from './read-cache.ts';
import { ABSENT, type Condition, type RegistryTable, unchanged } from './table.ts';

/** Compaction enters columns, once its table has them too. */
const KEY = { pk: COMPACTION_PARTITION, sk: 'added-columns' } as const;

/**
 * How long entries are served from memory, milliseconds. Whoever takes one out waits for longer before
 * anything stops filling the column.
 */
export const ADDED_COLUMNS_CACHE_MS = 60_000;

/** Two write at most: compaction, and a deployment. */
const MAX_ATTEMPTS = 5;

type Entries = readonly AddedColumnEntry[];

interface State {
  /** The columns that rows should have, as text. */
  readonly announced: string;
  readonly entries: Entries;
}

/**
 * From when on the columns that a configuration adds are filled. Rows of before lack them, though their
 * JSON has the value; so a column without an entry is not read.
 */
export class AddedColumnStore {
  readonly #table: RegistryTable;
  readonly #cache: ReadCache<Entries>;

  constructor({ table, clock }: { table: RegistryTable; clock: Clock }) {
    this.#table = table;
    this.#cache = new ReadCache({ clock, ttlMs: ADDED_COLUMNS_CACHE_MS, maxEntries: 1 });
  }

  /** Nothing while DynamoDB does not answer: queries then read the JSON, which is right and slower. */
  async list(): Promise<Entries> {
    try {
      return await this.#cache.get('', async () => (await this.#read())?.columns ?? []);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'registry_unavailable') return [];
      throw error;
    }
  }

  /**
   * Announces the columns that rows will have from now on, before any of it changes. Entries stay of those
   * that rows have had until now as well.
   *
   * @param before those of until now. Left out, every entry of an announced column is right.
   * @returns whether there were entries of others, which readers may remember for a while.
   */
  async announce(
    columns: readonly PromotedColumn[],
    before: readonly PromotedColumn[] = columns,
  ): Promise<boolean> {
    let hadOthers = false;
    await this.#change(({ entries }) => {
      const kept = entries.filter((entry) =>
        [columns, before].every((list) => list.some((column) => isEntryOf(entry, column))),
      );
      // A write whose answer got lost is found done at the next attempt.
      hadOthers ||= kept.length < entries.length;
      return { announced: listOf(columns), entries: kept };
    });
    return hadOthers;
  }

  /**
   * Enters those of the columns that have no entry, as filled from a time on; milliseconds. Nothing
   * happens where others are announced: a deployment is under way, or was given up.
   */
  enter(columns: readonly PromotedColumn[], filledFrom: number): Promise<void> {
    return this.#change(({ announced, entries }) => {
      const missing = columns.filter(
        (column) => !entries.some((entry) => isEntryOf(entry, column)),
      );
      const added = missing.map(({ name, path }) => ({ name, path: path.join('.'), filledFrom }));
      const isAnnounced = announced === listOf(columns);
      return { announced, entries: isAnnounced ? [...entries, ...added] : entries };
    });
  }

  async #change(change: (state: State) => State): Promise<void> {
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const stored = await this.#read();
        const { announced, columns: entries } = stored ?? { announced: '', columns: [] };
        const next = change({ announced, entries });
        if (next.announced === announced && next.entries.length === entries.length) return;
        const condition = stored === undefined ? ABSENT : unchanged('version', stored.version);
        if (await this.#write(next, condition)) return;
      }
    } finally {
      this.#cache.clear();
    }
    throw new ServiceError(
      'compaction_conflict',
      409,
      'Others keep changing which columns are filled. Try again.',
    );
  }

  #write({ announced, entries }: State, condition: Condition): Promise<boolean> {
    const state = { version: randomUUID(), announced, columns: entries };
    const item = z.encode(addedColumnsCodec, state);
    return this.#table.put({ ...item, ...KEY }, condition);
  }

  async #read() {
    const item = await this.#table.get(KEY);
    return item && decodeItem(addedColumnsCodec, item, 'list of added columns');
  }
}

function listOf(columns: readonly PromotedColumn[]): string {
  return columns
    .map(({ name, path }) => `${name}=${path.join('.')}`)
    .sort()
    .join();
}
