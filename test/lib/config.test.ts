import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, checkConfig, environments, loadConfig } from '../../lib/config.ts';
import type { EnvironmentSettings } from '../../lib/settings.ts';

const minimal: EnvironmentSettings = { firstDay: '2026-11-01' };

describe('loading the configuration of an environment', () => {
  test.each(environments())('%s is valid', (environment) => {
    expect(loadConfig(environment)).toMatchObject({ environment });
  });

  test('takes dev when none is named', () => {
    expect(loadConfig().environment).toBe('dev');
  });

  test('says which environments there are when one is unknown', () => {
    expect(() => loadConfig('staging')).toThrow(
      new ConfigError(
        'There is no environment "staging". Choose one of dev, prod with -c env=<name>, or add config/staging.ts.',
      ),
    );
  });

  test.each(['constructor', '../lib/config', ''])(
    'does not take "%s" for an environment',
    (name) => {
      expect(() => loadConfig(name)).toThrow(ConfigError);
    },
  );
});

describe('the file of an environment', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.ts`), text);

  test('adds an environment by being there, whatever is wrong with others', () => {
    write('staging', "export default { firstDay: '2026-11-01' };");
    write('broken', 'export default {');

    expect(environments(folder)).toEqual(['broken', 'staging']);
    expect(loadConfig('staging', folder)).toMatchObject({ environment: 'staging' });
  });

  test('is named when it cannot be read', () => {
    write('broken', 'export default {');

    expect(() => loadConfig('broken', folder)).toThrow(/^config\/broken\.ts cannot be read: /);
  });

  test('has to have a default export', () => {
    write('empty', 'export const settings = {};');

    expect(() => loadConfig('empty', folder)).toThrow(/^config\/empty\.ts has no default export/);
  });
});

describe('checking settings', () => {
  test('fills in the defaults', () => {
    expect(checkConfig('test', minimal)).toEqual({
      environment: 'test',
      firstDay: '2026-11-01',
      bufferSeconds: 60,
      landingStreams: 1,
      compressRecords: true,
      landingRetentionDays: 14,
      logRetentionDays: 30,
      throttle: { requestsPerSecond: 1_000, burst: 2_000 },
      scanLimitGiB: { api: 50, analysts: 500 },
      scanCostAlarmUsdPerHour: 5,
      cachedResultMiB: 8,
      rateLimits: { perSource: 100_000, perKey: 500_000 },
      queryConcurrency: 20,
      alarmEmails: { page: [], ticket: [] },
      alertEmails: [],
      runbookUrl: 'docs/runbook.md',
    });
  });

  const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/0a1b';
  const hostedZone = { id: 'Z0123', name: 'example.com' };

  test.each<[string, unknown, RegExp]>([
    ['account', { ...minimal, account: '12345' }, /must be 12 digits[\s\S]*account/],
    ['region', { ...minimal, region: 'Frankfurt' }, /such as eu-west-1[\s\S]*region/],
    ['firstDay', { firstDay: '1.11.2026' }, /firstDay/],
    ['bufferSeconds', { ...minimal, bufferSeconds: 30 }, /bufferSeconds/],
    ['landingStreams', { ...minimal, landingStreams: 0 }, /landingStreams/],
    ['landingRetentionDays', { ...minimal, landingRetentionDays: 6 }, /landingRetentionDays/],
    ['logRetentionDays', { ...minimal, logRetentionDays: 31 }, /logRetentionDays/],
    ['scanLimitGiB', { ...minimal, scanLimitGiB: { api: 0.001 } }, /scanLimitGiB\.api/],
    ['cachedResultMiB', { ...minimal, cachedResultMiB: 9 }, /cachedResultMiB/],
    ['queryConcurrency', { ...minimal, queryConcurrency: 0 }, />=1[\s\S]*queryConcurrency/],
    ['queryConcurrency', { ...minimal, queryConcurrency: 'all' }, /or "unreserved"/],
    ['alarmEmails', { ...minimal, alarmEmails: { page: ['me'] } }, /alarmEmails\.page\[0\]/],
    [
      'an address that is mailed twice',
      { ...minimal, alarmEmails: { ticket: ['a@example.com', 'a@example.com'] } },
      /each address once[\s\S]*alarmEmails\.ticket/,
    ],
    ['a misspelt setting', { ...minimal, bufferSecond: 60 }, /"bufferSecond"/],
    ['a domain without proof', { ...minimal, domain: { name: 'a.example.com' } }, /needs cert/],
    [
      'a domain outside its zone',
      { ...minimal, domain: { name: 'a.example.org', hostedZone } },
      /not within the hosted zone example\.com/,
    ],
    [
      'a zone of which the name is only the end of another',
      { ...minimal, domain: { name: 'anexample.com', hostedZone } },
      /not within/,
    ],
    [
      'a certificate of another region',
      { ...minimal, region: 'us-east-1', domain: { name: 'a.example.com', certificateArn } },
      /certificate in eu-west-1, but the API is in us-east-1/,
    ],
    [
      'a certificate of another account',
      { ...minimal, account: '999988887777', domain: { name: 'a.example.com', certificateArn } },
      /certificate of account 111122223333, but the API is in 999988887777/,
    ],
  ])('names what is not valid: %s', (_name, settings, expected) => {
    expect(() => checkConfig('test', settings)).toThrow(expected);
  });

  test.each([
    ['a certificate', { name: 'logs.example.com', certificateArn }],
    ['a hosted zone', { name: 'logs.example.com', hostedZone }],
    ['the name of the zone itself', { name: 'example.com', hostedZone }],
  ])('takes a domain with %s', (_name, domain) => {
    expect(checkConfig('test', { ...minimal, domain }).domain).toEqual(domain);
  });

  test('refuses a name that cannot be part of resource names', () => {
    expect(() => checkConfig('My Env', minimal)).toThrow(/lower-case letters/);
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
