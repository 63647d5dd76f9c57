/** Tells when those that read something have finished, so that it can be taken away. */
export class ReaderEpochs {
  readonly #reading = new Set<Promise<void>>();

  /** @returns to be called once, when the reader has finished. */
  pin(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reading.add(promise);
    return () => {
      this.#reading.delete(promise);
      resolve();
    };
  }

  /** Resolves when every reader that is there now has finished; later ones do not matter. */
  async quiesced(): Promise<void> {
    await Promise.all(this.#reading);
  }
}
