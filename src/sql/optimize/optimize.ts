import type { Ir } from '../ir/ir.ts';
import { keepLiveColumns } from './column-liveness.ts';
import { prunePartitions } from './partition-pruning.ts';
import { pushPaths } from './push-paths.ts';

/**
 * A step that makes another statement of one, with the same rows: never by changing what it is given.
 *
 * @example
 * // Leaves out what a pass can see to be always true; runs wherever the list has it.
 * { name: 'drop_true_conditions', before: {}, run: (ir) => ({ ...ir, root: withoutTrue(ir.root) }) }
 */
export interface Pass {
  readonly name: string;
  /** Passes that must not have been before it, by name, with the reason. */
  readonly before: Readonly<Record<string, string>>;
  readonly run: (ir: Ir) => Ir;
}

/** All passes in their order. Each may be left out: the rows are the same, and more is read for them. */
export const PASSES: readonly Pass[] = [
  { name: 'prune_partitions', before: {}, run: prunePartitions },
  {
    name: 'push_paths',
    before: {
      keep_live_columns: 'the slots that paths are read from would not be read',
    },
    run: pushPaths,
  },
  { name: 'keep_live_columns', before: {}, run: keepLiveColumns },
];

/** @throws Error if a pass was run that must come later. */
export function runPass(ir: Ir, { name, before, run }: Pass): Ir {
  for (const done of ir.passes) {
    if (done in before) throw new Error(`${name} comes before ${done}: else ${before[done]}`);
  }
  return { ...run(ir), passes: [...ir.passes, name] };
}

export function optimize(ir: Ir): Ir {
  return PASSES.reduce(runPass, ir);
}
