import { expect, test } from 'vitest';
import { AWS_CHECKS } from '../../src/verify/aws/aws-checks.ts';
import type { AwsSide } from '../../src/verify/aws/aws-side.ts';
import { runChecks } from '../../src/verify/trial/run-checks.ts';

/** A deployment of which everything holds. */
const SOUND: AwsSide = {
  signal: new AbortController().signal,
  url: 'https://api.example',
  stacks: async () => [
    { name: 'sluice-prod-service', status: 'UPDATE_COMPLETE', url: 'https://api.example/' },
  ],
  failedObjects: async () => [],
  alarms: async () => [{ name: 'sluice-prod-api-slow', state: 'OK' }],
  ownMetrics: async () => ['EventsStored'],
  startTwice: async () => ['one', 'one'],
  tableProperties: async () =>
    new Map([
      ['vacuum_max_snapshot_age_seconds', '432000'],
      ['vacuum_min_snapshots_to_keep', '1'],
      ['format', 'parquet'],
    ]),
  optimize: async () => {},
  vacuum: async () => {},
};

async function statuses(changes: Partial<AwsSide>): Promise<Record<string, string>> {
  const everything = { only: [], skip: [] };
  const outcomes = await runChecks(AWS_CHECKS, { ...SOUND, ...changes }, everything, () => {});
  return Object.fromEntries(outcomes.map(({ name, status }) => [name, status]));
}

test('everything holds of a sound deployment', async () => {
  expect(new Set(Object.values(await statuses({})))).toEqual(new Set(['holds']));
});

test('a new deployment has no compacted table yet', async () => {
  expect(await statuses({ tableProperties: async () => undefined })).toMatchObject({
    'aws-compacted-table': 'not yet',
    'aws-optimize': 'not checked',
    'aws-vacuum': 'not checked',
  });
});

test.each([
  [
    'aws-stacks',
    { stacks: async () => [{ name: 'x', status: 'UPDATE_ROLLBACK_COMPLETE', url: undefined }] },
  ],
  ['aws-failed', { failedObjects: async () => ['failed/a'] }],
  ['aws-alarms', { alarms: async () => [{ name: 'lake-stale', state: 'ALARM' }] }],
  ['aws-alarms', { alarms: async () => [] }],
  ['aws-tokens', { startTwice: async () => ['one', 'two'] as const }],
  ['aws-compacted-table', { tableProperties: async () => new Map([['format', 'parquet']]) }],
  ['aws-optimize', { optimize: async () => Promise.reject(new Error('refused')) }],
  ['aws-vacuum', { vacuum: async () => Promise.reject(new Error('refused')) }],
] as const)('%s finds what is wrong', async (name, changes) => {
  expect(await statuses(changes)).toMatchObject({ [name]: 'does not hold' });
});
