import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, StartError } from '../../src/local/config.ts';

function problem(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return 'none';
}

test('an empty environment is a server on loopback, port 4000, with data in .sluice', () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    dataDirectory: resolve('.sluice'),
    adminKey: undefined,
    logLevel: 'info',
    rateLimits: { perSource: 100_000, perKey: 500_000 },
    limits: {
      queryMemoryMiB: 768,
      spillMiB: 2_048,
      resultMiB: 32,
      cacheMiB: 512,
      queriesPerKey: 3,
    },
    allowLocalTargets: false,
  });
});

test('every setting is taken from its variable', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '0.0.0.0',
    SLUICE_DATA_DIR: '/var/lib/sluice',
    SLUICE_ADMIN_KEY: 'k3y',
    SLUICE_LOG_LEVEL: 'debug',
    SLUICE_SOURCE_RATE_LIMIT: '50',
    SLUICE_KEY_RATE_LIMIT: '150',
    SLUICE_QUERY_MEMORY_MB: '2000',
    SLUICE_SPILL_MB: '0',
    SLUICE_RESULT_MB: '8',
    SLUICE_CACHE_MB: '100',
    SLUICE_QUERIES_PER_KEY: '1',
    SLUICE_ALERTS_ALLOW_LOCAL: 'true',
  });

  expect(config).toEqual({
    port: 0,
    host: '0.0.0.0',
    dataDirectory: '/var/lib/sluice',
    adminKey: 'k3y',
    logLevel: 'debug',
    rateLimits: { perSource: 50, perKey: 150 },
    limits: { queryMemoryMiB: 2_000, spillMiB: 0, resultMiB: 8, cacheMiB: 100, queriesPerKey: 1 },
    allowLocalTargets: true,
  });
});

test('an empty variable counts as not set', () => {
  const config = readConfig({ PORT: '', SLUICE_ADMIN_KEY: '' });

  expect(config).toMatchObject({ port: 4000, adminKey: undefined });
});

test.each([
  [{ PORT: 'http' }, 'PORT must be a whole number'],
  [{ SLUICE_KEY_RATE_LIMIT: '0' }, 'SLUICE_KEY_RATE_LIMIT must be between 1 and 10000000'],
  [{ SLUICE_SOURCE_RATE_LIMIT: '1/s' }, 'SLUICE_SOURCE_RATE_LIMIT must be a whole number'],
  [{ SLUICE_QUERY_MEMORY_MB: '64' }, 'SLUICE_QUERY_MEMORY_MB must be between 128 and 1048576'],
  [{ SLUICE_QUERIES_PER_KEY: '5' }, 'SLUICE_QUERIES_PER_KEY must be between 1 and 4'],
  [{ SLUICE_ALERTS_ALLOW_LOCAL: 'yes' }, 'SLUICE_ALERTS_ALLOW_LOCAL must be true or false'],
  [{ PORT: '-1' }, 'PORT must be a whole number'],
  [{ PORT: '65536' }, 'PORT must be between 0 and 65535'],
  [{ SLUICE_LOG_LEVEL: 'loud' }, 'SLUICE_LOG_LEVEL must be one of debug, info, warn, error'],
  [{ SLUICE_ADMIN_KEY: 'two words' }, 'SLUICE_ADMIN_KEY must be printable ASCII without spaces'],
])('%j is refused', (env, expected) => {
  expect(problem(env)).toBe(`The environment is not valid: ${expected}.`);
});

test('all problems are named at once', () => {
  const message = problem({ PORT: 'x', SLUICE_LOG_LEVEL: 'y' });

  expect(message).toContain('PORT');
  expect(message).toContain('SLUICE_LOG_LEVEL');
});

test('a refused key is not repeated in the message', () => {
  expect(problem({ SLUICE_ADMIN_KEY: 'my secret' })).not.toContain('secret');
});
