import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { terminalRegion } from '../../../bin/shared/region.ts';

const VARIABLES = [
  'AWS_REGION',
  'AMAZON_REGION',
  'AWS_DEFAULT_REGION',
  'AMAZON_DEFAULT_REGION',
  'AWS_PROFILE',
];

describe('the Region of a terminal', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-region-'));
    for (const variable of VARIABLES) vi.stubEnv(variable, undefined);
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null');
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    writeFileSync(
      join(folder, 'config'),
      '[default]\nregion = eu-north-1\n[profile team]\nregion = eu-south-1\n[profile bare]\n',
    );
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  test.each([
    [{ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'us-west-2' }, 'eu-west-1', 'AWS_REGION'],
    [{ AWS_DEFAULT_REGION: 'us-west-2' }, 'us-west-2', 'AWS_DEFAULT_REGION'],
    [{ AWS_REGION: '', AWS_DEFAULT_REGION: 'us-west-2' }, 'us-west-2', 'AWS_DEFAULT_REGION'],
    [{ AWS_REGION: 'eu-west-1', AWS_PROFILE: 'team' }, 'eu-west-1', 'AWS_REGION'],
    [{ AWS_PROFILE: 'team' }, 'eu-south-1', 'the profile team'],
    [{ AWS_PROFILE: 'bare' }, 'eu-north-1', 'the profile default'],
    [{ AWS_PROFILE: 'none' }, 'eu-north-1', 'the profile default'],
    [{}, 'eu-north-1', 'the profile default'],
  ])('is, with %j, %s', async (environment, region, from) => {
    expect(await terminalRegion(environment)).toEqual({ region, from });
  });

  test('is us-east-1 where nothing names one', async () => {
    vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');

    expect(await terminalRegion({})).toEqual({ region: 'us-east-1', from: undefined });
  });
});
