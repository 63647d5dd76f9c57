import type { Check, Target, Terminal } from './check.ts';
import { identify } from './checks/credentials.ts';
import { CHECKS } from './checks/index.ts';
import { unanswered, unchecked, type Verdict } from './verdict.ts';

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
}

/**
 * Runs every check. None of them can end the others: what a check did not expect is a verdict as well. Without
 * credentials that work nothing else is asked.
 */
export async function runChecks(terminal: Terminal): Promise<Finding[]> {
  const { verdict, account } = await identify(terminal);
  const identity = { check: 'Credentials', verdict };
  if (account === undefined) {
    const verdict = unchecked('Not asked, because the credentials did not do.');
    return [identity, ...CHECKS.map(({ name }) => ({ check: name, verdict }))];
  }
  const target = { ...terminal, account };
  return [identity, ...(await Promise.all(CHECKS.map((check) => finding(check, target))))];
}

/** Runs one check; an error that it throws is a verdict. */
export async function finding(check: Check, target: Target): Promise<Finding> {
  try {
    return { check: check.name, verdict: await check.run(target) };
  } catch (error) {
    return { check: check.name, verdict: unanswered(error, check.permissions) };
  }
}
