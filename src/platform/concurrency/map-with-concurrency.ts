/**
 * Calls `work` for every item, at most `limit` at a time, in order of the items.
 *
 * @throws what the first failing call threw; calls under way are not interrupted.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
