import { expect, test } from 'vitest';
import { newestCall } from '../../src/query/ad-hoc/ad-hoc-call.ts';
import * as compile from '../../src/sql/compile.ts';
import { describe as describeQuery } from '../../src/sql/describe.ts';
import { cacheTable, EVENTS, ScriptedEngine, startProcessWith, TestTime } from './support.ts';

const table = cacheTable();
const compiler = { ...compile, describe: describeQuery };

test.each(['', 'm.level:error', 't:>2020-01-01'])(
  'a look for the newest events reads its span of time and no more: %j',
  async (lql) => {
    const engine = new ScriptedEngine();
    const { runner } = startProcessWith(compiler, table, new TestTime(), engine, [EVENTS]);
    const from = Date.UTC(2026, 1, 3) * 1_000;
    const to = from + 900_000_000;
    const { endpoint, input } = newestCall(EVENTS, { from, to, rows: 7, lql });

    const { scans, athena } = await runner.explain(endpoint, input);

    expect(scans).toMatchObject([{ source: 'source.events', from_us: from, to_us: to }]);
    expect(athena).toMatch(/LIMIT 7/);
  },
);

test('LQL for the newest events orders them, and is another call than the same LQL for columns', async () => {
  const engine = new ScriptedEngine();
  engine.answerWith(async (_run, { width }) => [Array(width).fill(null)]);
  const { runner } = startProcessWith(compiler, table, new TestTime(), engine, [EVENTS]);
  const look = { from: 1, to: 2, rows: 7, lql: 'm.level:error' };
  const { endpoint, input } = newestCall(EVENTS, look);

  const columns = await runner.run(endpoint, { input, redact: false });
  const whole = await runner.run(endpoint, { input, redact: false, newest: true });

  expect(Object.keys(columns.rows[0] ?? {})).toEqual(['level']);
  expect(Object.keys(whole.rows[0] ?? {})).toEqual(
    expect.arrayContaining(['id', 'timestamp', 'event_message', 'metadata']),
  );
  const texts = engine.queries.map(({ text }) => text);
  expect(texts.map((text) => /ORDER BY/.test(text))).toEqual([false, true]);
});
