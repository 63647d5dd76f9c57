/** Checks of an account, case by case. */
import { describe, expect, test, vi } from 'vitest';
import type { Check, Target } from '../../../bin/preflight/check.ts';
import { finding } from '../../../bin/preflight/run-checks.ts';
import type { State } from '../../../bin/preflight/verdict.ts';
import { pointSdkAt } from '../../support/aws/aws-environment.ts';
import { PROD, READY, target } from './account.ts';
import { type Answers, startStandIn } from './stand-in.ts';

/** What a check comes to in an account that is ready but for these answers. */
export async function verdictOf(
  check: Check,
  answers: Answers = {},
  changes: Partial<Target> = {},
) {
  const standIn = await startStandIn({ ...READY, ...answers });
  try {
    pointSdkAt(standIn.url);
    const { verdict } = await finding(check, target(changes));
    return {
      state: verdict.state,
      text: [verdict.says, ...(verdict.mend ?? [])].join('\n'),
      calls: standIn.calls,
    };
  } finally {
    vi.unstubAllEnvs();
    await standIn.close();
  }
}

export type Case = readonly [
  title: string,
  answers: Answers,
  changes: Partial<Target>,
  state: State,
  text: RegExp,
];

/** A test of the check for each case. */
export function cases(check: Check, table: readonly Case[]): void {
  describe(check.name, () => {
    test.each(table)('%s', async (_title, answers, changes, state, text) => {
      const verdict = await verdictOf(check, answers, changes);

      expect(verdict).toMatchObject({ state, text: expect.stringMatching(text) });
    });
  });
}

/** A configuration that differs from that of `prod`. */
export const config = (changes: Partial<typeof PROD>) => ({ config: { ...PROD, ...changes } });
