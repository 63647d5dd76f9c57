import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Check } from '../../../bin/preflight/check.ts';
import { CHECKS } from '../../../bin/preflight/checks/index.ts';
import { finding } from '../../../bin/preflight/run-checks.ts';
import { pointSdkAt } from '../../support/aws/aws-environment.ts';
import { target } from './account.ts';
import { config } from './cases.ts';
import { type Answers, denied, Refusal, startStandIn } from './stand-in.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('every check', () => {
  const withDomain = config({
    domain: {
      name: 'logs.example.com',
      certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/0a1b',
      hostedZone: { id: 'Z0123', name: 'example.com' },
    },
  });
  const asking = CHECKS.filter(({ permissions }) => permissions.length > 0);
  const everything = (answer: Answers[string]): Answers =>
    new Proxy({}, { get: () => answer, ownKeys: () => [] });

  /** All operations get the same answer, whatever is ready in the account. */
  async function whenAll(check: Check, answer: Answers[string]) {
    const standIn = await startStandIn(everything(answer));
    try {
      pointSdkAt(standIn.url);
      return (await finding(check, target(withDomain))).verdict;
    } finally {
      await standIn.close();
    }
  }

  test.each(asking)('$name names the permission that is missing', async (check) => {
    const verdict = await whenAll(check, denied('some:Action'));

    expect(verdict).toEqual({
      state: 'unchecked',
      says: 'The permission some:Action is missing.',
    });
  });

  test.each(asking)('$name names its permissions where AWS does not', async (check) => {
    const verdict = await whenAll(check, new Refusal('AccessDeniedException', 'No.', 403));

    expect(verdict.says).toBe(`The permission ${check.permissions.join(' or ')} is missing.`);
  });

  test.each(asking)('$name survives answers of a proxy', async (check) => {
    const verdict = await whenAll(check, 'not of AWS');

    expect(verdict.state).not.toBe('ok');
  });

  test.each(asking)('$name survives refusals that it does not know', async (check) => {
    const verdict = await whenAll(check, new Refusal('TeapotException'));

    expect(verdict).toEqual({
      state: 'unchecked',
      says: 'AWS refused the question (TeapotException).',
    });
  });

  test.each(asking)('$name does not crash on an empty answer', async (check) => {
    expect((await whenAll(check, {})).says).toMatch(/\.$|:$/);
  });
});
