/**
 * Makes something when it is first asked for, and keeps it. With an `import()` inside, the code that it
 * takes is a module of its own in the bundle, which a cold start does not read.
 *
 * @param make is called again after it failed.
 */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
