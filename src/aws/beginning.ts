import type { EngineRun } from '../query/execution/query-engine.ts';

type Listener = (run: EngineRun) => void;

/** Tells of a run that has begun, also those who join it later. */
export class Beginning {
  #run: EngineRun | undefined;
  readonly #listeners = new Set<Listener>();

  tell(listener: Listener | undefined): void {
    if (listener === undefined) return;
    this.#listeners.add(listener);
    if (this.#run !== undefined) listener(this.#run);
  }

  happened(run: EngineRun): void {
    this.#run = run;
    for (const listener of this.#listeners) listener(run);
  }
}
