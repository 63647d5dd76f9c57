import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Check, Target } from '../../../bin/preflight/check.ts';
import { exitCode, report } from '../../../bin/preflight/report.ts';
import { finding, runChecks } from '../../../bin/preflight/run-checks.ts';
import { failed, ok, unchecked, warning } from '../../../bin/preflight/verdict.ts';
import { pointSdkAt } from '../../support/aws/aws-environment.ts';
import { ACCOUNT, PROD, READY, target } from './account.ts';
import { type Answers, Refusal, startStandIn } from './stand-in.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

async function run(answers: Answers, changes: Partial<Target> = {}) {
  const standIn = await startStandIn({ ...READY, ...answers });
  try {
    pointSdkAt(standIn.url);
    const findings = await runChecks(target(changes));
    return { findings, operations: new Set(standIn.calls.map(({ operation }) => operation)) };
  } finally {
    await standIn.close();
  }
}

describe('running all checks', () => {
  test('begins with whose credentials these are', async () => {
    const { findings } = await run({});

    expect(findings[0]).toEqual({
      check: 'Credentials',
      verdict: ok(`Account ${ACCOUNT}, as arn:aws:iam::${ACCOUNT}:user/me.`),
    });
    expect(findings.filter(({ verdict }) => verdict.state !== 'ok')).toEqual([]);
  });

  test.each<[string, Answers, Partial<Target>, RegExp]>([
    ['expired', { GetCallerIdentity: new Refusal('ExpiredToken') }, {}, /have expired/],
    [
      'unknown in the Region',
      { GetCallerIdentity: new Refusal('InvalidClientTokenId') },
      {},
      /does not take the credentials in eu-west-1/,
    ],
    ['refused', { GetCallerIdentity: new Refusal('Odd') }, {}, /could not be tried \(Odd\)/],
    ['without an account', { GetCallerIdentity: {} }, {}, /without an account/],
    ['of a proxy', { GetCallerIdentity: 'not of AWS' }, {}, /without an account|not be tried/],
    [
      'those of another account',
      {},
      { config: { ...PROD, account: '999988887777' } },
      /of account 111122223333, but config\/prod\.ts names 999988887777/,
    ],
  ])('asks nothing else with credentials that are %s', async (_name, answers, changes, says) => {
    const { findings, operations } = await run(answers, changes);

    const [credentials, ...others] = findings;
    expect(credentials?.verdict).toMatchObject({
      state: 'failed',
      says: expect.stringMatching(says),
    });
    expect(new Set(others.map(({ verdict }) => verdict.state))).toEqual(new Set(['unchecked']));
    expect([...operations]).toEqual(['GetCallerIdentity']);
  });

  test('has a verdict about an error in a check', async () => {
    const broken: Check = {
      name: 'Broken',
      permissions: [],
      run: () => Promise.reject(new TypeError('x is not a function')),
    };

    expect(await finding(broken, target())).toEqual({
      check: 'Broken',
      verdict: unchecked('The answer could not be read (TypeError).'),
    });
  });
});

describe('the report', () => {
  const findings = [
    { check: 'Region', verdict: ok('eu-west-1.') },
    { check: 'firstDay', verdict: warning('It is long past.', 'Set it.') },
    { check: 'Names', verdict: failed('Two are taken.', 'aws a', 'aws b') },
    { check: 'Stacks', verdict: unchecked('The permission x is missing.') },
  ];

  test('is a table, with what mends below what it mends', () => {
    expect(report('Environment prod in eu-west-1', findings).split('\n')).toEqual([
      'Environment prod in eu-west-1',
      '',
      'ok           Region    eu-west-1.',
      'warning      firstDay  It is long past.',
      '                       > Set it.',
      'FAILED       Names     Two are taken.',
      '                       > aws a',
      '                       > aws b',
      'not checked  Stacks    The permission x is missing.',
      '',
      '1 failed, 1 warning, 1 not checked. Mend what failed before you deploy.',
      '',
    ]);
  });

  test('has the exit status 1 only for what failed', () => {
    expect(exitCode(findings)).toBe(1);
    expect(exitCode(findings.filter(({ check }) => check !== 'Names'))).toBe(0);
  });
});
