/** Runs asynchronous tasks one at a time, in the order they were given. */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    // The caller of the failing task hears of it; the next task runs all the same.
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
