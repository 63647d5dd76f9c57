import { expect, test } from 'vitest';
import { guardWrites, onFailedWrite } from '../../../src/local/dynalite/leveldb-write-guard.ts';

/** A class of stores, guarded, whose disk takes no more after `room` writes. */
function storeClass(room: number) {
  let left = room;
  const taken: unknown[] = [];
  const write = async (...args: unknown[]) => {
    left -= 1;
    if (left < 0) throw new Error('IO error: No space left on device');
    taken.push(args[0]);
  };
  class Store {
    readonly location: string;
    constructor(location: string) {
      this.location = location;
    }
  }
  Object.assign(Store.prototype, { put: write, del: write, batch: write });
  const level = Store as unknown as Parameters<typeof guardWrites>[0];
  guardWrites(level);
  const open = (location: string) => new Store(location) as unknown as typeof level.prototype;
  return {
    open,
    taken,
    makeRoom() {
      left = Number.POSITIVE_INFINITY;
    },
    guardAgain: () => guardWrites(level),
  };
}

test('lets writes through', async () => {
  const { open, taken } = storeClass(3);
  const store = open('/a');

  await store.put('a', 1);
  await store.del('b');
  await store.batch(['c']);

  expect(taken).toEqual(['a', 'b', ['c']]);
});

test('has a failed write answered as DynamoDB would, with the cause for the log', async () => {
  const error = await storeClass(0)
    .open('/a')
    .put('a', 1)
    .catch((thrown) => thrown);

  expect(error).toMatchObject({
    statusCode: 500,
    body: { __type: expect.stringMatching(/#InternalServerError$/) },
    cause: { message: 'IO error: No space left on device' },
  });
});

test('takes nothing more in a store after a failed write, even when there is room', async () => {
  const { open, taken, makeRoom } = storeClass(1);
  const store = open('/a');
  await store.put('a', 1);
  await expect(store.put('b', 1)).rejects.toThrow();
  makeRoom();

  await expect(store.put('c', 1)).rejects.toMatchObject({ statusCode: 500 });
  await expect(store.batch(['d'])).rejects.toMatchObject({ statusCode: 500 });

  expect(taken).toEqual(['a']);
  await open('/a').put('e', 1);
  expect(taken).toEqual(['a', 'e']);
});

test('tells who listens for a directory, once for each store', async () => {
  const { open } = storeClass(0);
  const heard: string[] = [];
  const stops = ['/a', '/b'].map((location) => onFailedWrite(location, () => heard.push(location)));

  const store = open('/a');
  await expect(store.put('a', 1)).rejects.toThrow();
  await expect(store.put('a', 1)).rejects.toThrow();
  for (const stop of stops) stop();
  await expect(open('/b').put('a', 1)).rejects.toThrow();

  expect(heard).toEqual(['/a']);
});

test('guards a class once', async () => {
  const { open, guardAgain } = storeClass(0);
  const heard: unknown[] = [];
  const stop = onFailedWrite('/a', (error) => heard.push(error));
  guardAgain();

  await expect(open('/a').put('a', 1)).rejects.toThrow();
  stop();

  expect(heard).toHaveLength(1);
});
