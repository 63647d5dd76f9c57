/** Whose latency is told apart. */
export type Kind = 'ingest' | 'query, cached' | 'query, run' | 'management';

export interface Latency {
  readonly kind: Kind;
  readonly calls: number;
  /** Milliseconds. */
  readonly medianMs: number;
  readonly worstMs: number;
}

/** How long calls that succeeded took, as the caller sees it. */
export class Latencies {
  readonly #ms = new Map<Kind, number[]>();

  add(kind: Kind, ms: number): void {
    const known = this.#ms.get(kind);
    if (known === undefined) this.#ms.set(kind, [ms]);
    else known.push(ms);
  }

  summary(): Latency[] {
    return [...this.#ms].map(([kind, all]) => {
      const sorted = all.toSorted((a, b) => a - b);
      return {
        kind,
        calls: sorted.length,
        medianMs: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
        worstMs: Math.round(sorted.at(-1) ?? 0),
      };
    });
  }
}
