import { expect, it } from 'vitest';
import { type LeftRun, LeftRuns } from '../../src/endpoints/left-runs.ts';
import { cacheTable, TestTime } from './support.ts';

const table = cacheTable();

const left = (id: string, columns: number): LeftRun => ({
  id,
  key: 'k',
  startedAt: Date.UTC(2026, 0, 1),
  lifetimeMs: 60_000,
  columns: Array.from({ length: columns }, (_, n) => ({
    name: `column ${n}`,
    type: {
      kind: 'json',
      shape: { kind: 'array', of: { kind: 'scalar', type: { kind: 'date' } } },
    },
  })),
  usage: { endpoint: 'counts', endpoint_token: 'token', language: 'none' },
});

const start = () =>
  new LeftRuns({ client: table.client, table: table.table, clock: new TestTime() });

it('finds a run again as it was noted, until it is forgotten', async () => {
  const runs = start();
  const run = left('one', 200);

  expect(await runs.note(run)).toBe(true);

  expect(await start().find('one')).toEqual(run);
  expect(await runs.find('two')).toBeUndefined();
  await runs.forget('one');
  expect(await runs.find('one')).toBeUndefined();
});

it('does not note a run with more columns than an item should hold', async () => {
  const runs = start();

  expect(await runs.note(left('wide', 2_000))).toBe(false);

  expect(await runs.find('wide')).toBeUndefined();
});
