/**
 * What `work` gives for each item, in the order of the items, which are worked on in that order, at most
 * `limit` at a time. After a failure no further call begins, and those under way end first, so that
 * nothing goes on once the caller has heard of it.
 *
 * @throws what the first failing call threw.
 */
export async function mapWithConcurrency<T, Result>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = Iterator.from(items).map((item, index) => ({ item, index }));
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const { item, index } of waiting) {
      if (failure !== undefined) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure !== undefined) throw failure.error;
  return results;
}
