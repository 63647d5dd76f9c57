import type { MadeView } from '../../../src/lake/views/diff.ts';
import type { ViewRecords } from '../../../src/lake/views/view-store.ts';

/** Records of views in memory; a holder keeps its right until it gives it back. */
export class MemoryRecords implements ViewRecords {
  readonly #views = new Map<string, MadeView>();
  #holder: string | undefined;
  #holders = 0;

  get views(): readonly MadeView[] {
    return [...this.#views.values()];
  }

  async list(): Promise<readonly MadeView[]> {
    return this.views;
  }

  async begin(name: string): Promise<void> {
    this.#views.set(name, { name, hash: '', madeAt: 0 });
  }

  async finish(view: MadeView): Promise<void> {
    this.#views.set(view.name, view);
  }

  async forget(name: string): Promise<void> {
    this.#views.delete(name);
  }

  async acquire(): Promise<string | undefined> {
    if (this.#holder !== undefined) return undefined;
    this.#holder = `holder-${++this.#holders}`;
    return this.#holder;
  }

  async release(holder: string): Promise<void> {
    if (this.#holder === holder) this.#holder = undefined;
  }

  /** What time does to the right of a process that died. */
  expire(): void {
    this.#holder = undefined;
  }
}
