import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigError, type EnvironmentSettings, loadConfig } from '../../lib/config.ts';
import { ENVIRONMENTS } from '../../lib/environments.ts';

const minimal: EnvironmentSettings = { firstDay: '2026-11-01' };

describe('loading the configuration of an environment', () => {
  test.each(Object.keys(ENVIRONMENTS))('%s is valid', (environment) => {
    expect(loadConfig(environment)).toMatchObject({ environment });
  });

  test('takes dev when none is named', () => {
    expect(loadConfig().environment).toBe('dev');
  });

  test('fills in the defaults', () => {
    expect(loadConfig('test', { test: minimal })).toEqual({
      environment: 'test',
      firstDay: '2026-11-01',
      bufferSeconds: 300,
      landingRetentionDays: 30,
      logRetentionDays: 30,
      throttle: { requestsPerSecond: 1_000, burst: 2_000 },
      scanLimitGiB: { api: 50, analysts: 500 },
      rateLimits: { perSource: 100_000, perKey: 500_000 },
      runbookUrl: 'docs/runbook.md',
    });
  });

  test('says which environments there are when one is unknown', () => {
    expect(() => loadConfig('staging')).toThrow(
      new ConfigError(
        'There is no environment "staging". Choose one of dev, prod with -c env=<name>, or add it to lib/environments.ts.',
      ),
    );
  });

  test('does not take a property of every object for an environment', () => {
    expect(() => loadConfig('constructor')).toThrow(ConfigError);
  });

  test.each([
    ['account', { ...minimal, account: '12345' }, /must be 12 digits[\s\S]*account/],
    ['region', { ...minimal, region: 'Frankfurt' }, /such as eu-west-1[\s\S]*region/],
    ['firstDay', { firstDay: '1.11.2026' }, /firstDay/],
    ['bufferSeconds', { ...minimal, bufferSeconds: 30 }, /bufferSeconds/],
    ['logRetentionDays', { ...minimal, logRetentionDays: 31 } as never, /logRetentionDays/],
    ['scanLimitGiB', { ...minimal, scanLimitGiB: { api: 0.001 } }, /scanLimitGiB\.api/],
    ['a misspelt setting', { ...minimal, bufferSecond: 60 } as never, /"bufferSecond"/],
  ])(
    'names the setting that is not valid: %s',
    (_name, settings: EnvironmentSettings, expected) => {
      expect(() => loadConfig('test', { test: settings })).toThrow(expected);
    },
  );

  test('refuses a name that cannot be part of resource names', () => {
    expect(() => loadConfig('My Env', { 'My Env': minimal })).toThrow(/lower-case letters/);
  });
});

test('the app ends with the message alone', async () => {
  const run = promisify(execFile)(process.execPath, ['bin/app.ts'], {
    env: { ...process.env, CDK_CONTEXT_JSON: '{"env":"staging"}' },
  });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no environment "staging"\..*\n$/),
  });
});
