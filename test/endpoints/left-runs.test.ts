import { expect, it } from 'vitest';
import { type LeftRun, LeftRuns } from '../../src/endpoints/left-runs.ts';
import { stuttering } from '../support/registry.ts';
import { cacheTable, TestTime } from './support.ts';

const table = cacheTable();

const left = (id: string, columns: number): LeftRun => ({
  id,
  key: 'k',
  startedAt: Date.UTC(2026, 0, 1),
  lifetimeMs: 60_000,
  text: 'select 1',
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

it('finds a run again as it was noted', async () => {
  const runs = start();
  const run = left('one', 200);

  expect(await runs.note(run)).toBe(true);

  expect(await start().find('one')).toEqual({ ...run, counted: false });
  expect(await runs.find('two')).toBeUndefined();
});

it('gives the right to count a run to one of all who ask', async () => {
  await start().note(left('wanted', 1));

  const given = await Promise.all(Array.from({ length: 10 }, () => start().count('wanted')));

  expect(given.filter(Boolean)).toHaveLength(1);
  expect(await start().find('wanted')).toEqual({ ...left('wanted', 1), counted: true });
});

it('gives it to one whose request had to be sent again', async () => {
  const client = stuttering(table.client);
  const runs = new LeftRuns({ client, table: table.table, clock: new TestTime() });

  expect(await runs.count('sent twice')).toBe(true);

  expect(await start().count('sent twice')).toBe(false);
});

it('gives it for a run that was never noted, and notes that one no more', async () => {
  expect(await start().count('late')).toBe(true);

  expect(await start().note(left('late', 1))).toBe(true);

  expect(await start().find('late')).toBeUndefined();
  expect(await start().count('late')).toBe(false);
});

it('does not note a run with more columns than an item should hold', async () => {
  const runs = start();

  expect(await runs.note(left('wide', 4_000))).toBe(false);

  expect(await runs.find('wide')).toBeUndefined();
});
