import { reasonOf } from '../client/reason.ts';
import type { Check, Outcome } from './check.ts';
import { CheckEnded, Findings } from './findings.ts';

export interface Selection {
  /** Names; all when empty. What they need runs as well. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/**
 * Runs each check as soon as those before it have ended. Never throws: what a check throws is an outcome.
 *
 * @param onEnd called with each outcome as it comes.
 * @returns outcomes in the order of the checks; of those that were not asked for, none.
 */
export async function runChecks<T extends { readonly signal: AbortSignal }>(
  checks: readonly Check<T>[],
  trial: T,
  selection: Selection,
  onEnd: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const chosen = choose(checks, selection);
  const running = new Map<string, Promise<Outcome>>();
  const start = (check: Check<T>): Promise<Outcome> => {
    const known = running.get(check.name) ?? run(check);
    running.set(check.name, known);
    return known;
  };
  const outcomesOf = (names: readonly string[]) =>
    Promise.all(chosen.filter(({ name }) => names.includes(name)).map(start));
  const run = async (check: Check<T>): Promise<Outcome> => {
    await outcomesOf(check.after ?? []);
    const before = await outcomesOf(check.needs);
    const unfit = before.find(({ status }) => status !== 'holds');
    const outcome =
      unfit !== undefined
        ? notChecked(check, `it needs ${unfit.name}, of which it says: ${unfit.status}`)
        : selection.skip.includes(check.name)
          ? notChecked(check, 'skipped')
          : await runOne(check, trial);
    onEnd(outcome);
    return outcome;
  };
  return Promise.all(chosen.map(start));
}

function choose<T>(checks: readonly Check<T>[], { only }: Selection): Check<T>[] {
  if (only.length === 0) return [...checks];
  const wanted = new Set(only);
  // What is needed stands before what needs it.
  for (const { name, needs } of checks.toReversed()) {
    if (wanted.has(name)) for (const needed of needs) wanted.add(needed);
  }
  return checks.filter(({ name }) => wanted.has(name));
}

async function runOne<T extends { readonly signal: AbortSignal }>(
  check: Check<T>,
  trial: T,
): Promise<Outcome> {
  const began = performance.now();
  const findings = new Findings();
  let interrupted = false;
  try {
    await check.run(trial, findings);
  } catch (error) {
    if (trial.signal.aborted) interrupted = true;
    else if (!(error instanceof CheckEnded))
      findings.fail('the check itself', 'to end', reasonOf(error));
  }
  if (findings.moreUnmet > 0) findings.note(`${findings.moreUnmet} more like these`);
  if (interrupted) findings.note('the run was ended before this was');
  return {
    name: check.name,
    says: check.says,
    status: interrupted && findings.unmet.length === 0 ? 'not checked' : findings.status,
    notes: findings.notes,
    unmet: findings.unmet,
    remedy: check.remedy,
    seconds: Math.round((performance.now() - began) / 100) / 10,
  };
}

function notChecked<T>({ name, says, remedy }: Check<T>, why: string): Outcome {
  return { name, says, remedy, status: 'not checked', notes: [why], unmet: [], seconds: 0 };
}
