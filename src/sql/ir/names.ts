/**
 * Makes the names that are printed. Names of users never are: they could collide, differ only by case
 * (engines fold it) or hide quoting tricks. A printed name is `[a-z0-9_]+` and used once.
 */
export class Names {
  #count: number;

  /** @param count how many were made up before. */
  constructor(count = 0) {
    this.#count = count;
  }

  get count(): number {
    return this.#count;
  }

  fresh(hint: string): string {
    this.#count += 1;
    const readable = hint
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[_0-9]+|_+$/g, '')
      .slice(0, 40);
    return `${readable === '' ? 'x' : readable}_${this.#count}`;
  }
}
