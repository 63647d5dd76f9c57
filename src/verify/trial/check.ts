import type { Findings } from './findings.ts';
import type { Trial } from './trial.ts';

/** One thing that must hold of every deployment. */
export interface Check<T = Trial> {
  /** As `--only` and `--skip` take it. */
  readonly name: string;
  /** What holds. */
  readonly says: string;
  /** Names of checks without which this one cannot tell anything. */
  readonly needs: readonly string[];
  /** Names of checks that end before this one begins, whatever comes of them. */
  readonly after?: readonly string[];
  /** What to do when it does not hold, and where to read on. */
  readonly remedy: string;
  run(trial: T, findings: Findings): Promise<void>;
}

export type Status = 'holds' | 'does not hold' | 'not yet' | 'not checked';

export interface Unmet {
  readonly what: string;
  readonly expected: string;
  readonly came: string;
}

/** What came of a check. */
export interface Outcome {
  readonly name: string;
  readonly says: string;
  readonly status: Status;
  /** Why it was not checked, what was seen instead, or what else there is to say. */
  readonly notes: readonly string[];
  readonly unmet: readonly Unmet[];
  readonly remedy: string;
  readonly seconds: number;
}
