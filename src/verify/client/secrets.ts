/** What must not be printed: the caller's key, and those that a run makes. */
export class Secrets {
  readonly #known = new Set<string>();

  add(secret: string): void {
    if (secret === '') return;
    const basic = Buffer.from(`x:${secret}`).toString('base64');
    for (const form of [secret, encodeURIComponent(secret), basic]) this.#known.add(form);
  }

  /** A text with `<key>` in the place of each of them. */
  hide(text: string): string {
    // The longest first: one key may be the beginning of another.
    const longestFirst = [...this.#known].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((hidden, secret) => hidden.replaceAll(secret, '<key>'), text);
  }
}
