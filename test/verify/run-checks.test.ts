import { expect, test } from 'vitest';
import type { Check } from '../../src/verify/trial/check.ts';
import type { Findings } from '../../src/verify/trial/findings.ts';
import { runChecks } from '../../src/verify/trial/run-checks.ts';

const trial = { signal: new AbortController().signal };
const everything = { only: [], skip: [] };

function check(
  name: string,
  run: (findings: Findings) => unknown = () => {},
  needs: readonly string[] = [],
): Check<typeof trial> {
  return {
    name,
    says: name,
    needs,
    remedy: 'mend it',
    run: async (_, findings) => {
      await run(findings);
    },
  };
}

const statuses = async (checks: readonly Check<typeof trial>[], selection = everything) =>
  (await runChecks(checks, trial, selection, () => {})).map(({ name, status }) => [name, status]);

test('each check has the status that it found', async () => {
  const checks = [
    check('a'),
    check('b', (findings) => findings.fits('x', { n: 1 }, { n: 2 })),
    check('c', (findings) => findings.notYet('later')),
    check('d', (findings) => findings.notChecked('why')),
    check('e', () => Promise.reject(new Error('it broke'))),
  ];

  expect(await statuses(checks)).toEqual([
    ['a', 'holds'],
    ['b', 'does not hold'],
    ['c', 'not yet'],
    ['d', 'not checked'],
    ['e', 'does not hold'],
  ]);
});

test('what needs a check that does not hold is not checked', async () => {
  const checks = [check('a', (findings) => findings.fail('x', 1, 2)), check('b', undefined, ['a'])];

  const [, second] = await runChecks(checks, trial, everything, () => {});

  expect(second).toMatchObject({
    status: 'not checked',
    notes: ['it needs a, of which it says: does not hold'],
  });
});

test('--only runs what it names and what that needs, --skip says so', async () => {
  const checks = [
    check('a'),
    check('b', undefined, ['a']),
    check('c', undefined, ['b']),
    check('d'),
  ];

  expect(await statuses(checks, { only: ['c'], skip: [] } as never)).toEqual([
    ['a', 'holds'],
    ['b', 'holds'],
    ['c', 'holds'],
  ]);
  expect(await statuses(checks, { only: [], skip: ['d'] } as never)).toContainEqual([
    'd',
    'not checked',
  ]);
});
