const EVERY_MS = 5_000;

/** Tells on standard error what a long run is doing: one line per step, and one now and then within. */
export class Progress {
  readonly #name: string;
  #lastAt = 0;

  constructor(name: string) {
    this.#name = name;
  }

  step(text: string): void {
    this.#lastAt = performance.now();
    process.stderr.write(`${this.#name}: ${text}\n`);
  }

  /** As {@link step}, unless something was told within the last seconds. */
  tick(text: string): void {
    if (performance.now() - this.#lastAt > EVERY_MS) this.step(text);
  }
}
