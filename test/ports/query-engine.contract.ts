import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/platform/clock.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import type { WireRow } from '../../src/platform/execution.ts';
import type { QueryEngine } from '../../src/query/execution/query-engine.ts';
import type { OutputColumn } from '../../src/sql/common/result-schema.ts';
import { runStatement } from '../support/run-statement.ts';

/** Each method gives the text of a statement for `EngineQuery.text`. */
export interface QueryEngineHarness {
  readonly engine: QueryEngine;
  readonly clock: Clock;
  /** Answers these rows in this order. */
  answering(columns: readonly OutputColumn[], rows: readonly WireRow[]): string;
  /** Answers one string cell that differs from run to run. */
  unique(): string;
  /** Is refused or fails with an engine's message that holds {@link LEAK}. */
  failing(): string;
  /** Does not end before the tests do. */
  endless(): string;
  /** Takes all the engine's capacity, so that the next statement finds none. */
  saturate(): Promise<void>;
  close(): Promise<void>;
}

/** Raw engine text that no client may see. */
export const LEAK = 'secret_backend_table';

const MINUTE = 60_000;

/** What holds for every {@link QueryEngine}: one decoder reads the answers of all of them. */
export function queryEngineContract(name: string, make: () => Promise<QueryEngineHarness>): void {
  describe(`${name} as a QueryEngine`, () => {
    let harness: QueryEngineHarness;

    beforeEach(async () => {
      harness = await make();
    });

    afterEach(() => harness.close());

    const run = (
      text: string,
      columns: readonly OutputColumn[],
      options: { token?: string; withinMs?: number } = {},
    ) =>
      runStatement(harness.engine, {
        text,
        columns,
        token: options.token ?? newToken(),
        deadline: harness.clock.now() + (options.withinMs ?? MINUTE),
      });

    const answer = async (columns: readonly OutputColumn[], rows: readonly WireRow[]) =>
      (await run(harness.answering(columns, rows), columns)).rows;

    test('answers rows in order, a cell per column', async () => {
      const columns = [column('int64', 'n'), column('string', 's')];

      expect(
        await answer(columns, [
          ['2', 'b'],
          ['1', 'a'],
          ['3', 'c'],
        ]),
      ).toEqual([
        ['2', 'b'],
        ['1', 'a'],
        ['3', 'c'],
      ]);
    });

    test('answers no rows for an empty result', async () => {
      expect(await answer([column('string')], [])).toEqual([]);
    });

    test('answers 10,000 rows, the most a query may have', async () => {
      const rows = Array.from({ length: 10_000 }, (_, index) => [String(index), `row ${index}`]);

      expect(await answer([column('int64', 'n'), column('string', 's')], rows)).toEqual(rows);
    });

    test('keeps every digit of integers beyond 2^53', async () => {
      const rows = [['9007199254740993'], ['-9223372036854775808'], ['9223372036854775807'], ['0']];

      expect(await answer([column('int64')], rows)).toEqual(rows);
    });

    test('answers floats in a spelling that reads back as the same number', async () => {
      const numbers = [0.1, -1.5e-7, 1e21, 1.7976931348623157e308, 5e-324, 3];
      const rows = numbers.map((number) => [String(number)]);

      const cells = await answer([column('float64')], rows);

      expect(cells.map(([cell]) => Number(cell))).toEqual(numbers);
    });

    test.each(['NaN', 'Infinity', '-Infinity'])(
      'answers the float %s by that name',
      async (text) => {
        expect(await answer([column('float64')], [[text]])).toEqual([[text]]);
      },
    );

    test('answers booleans as true and false', async () => {
      const rows = [['true'], ['false']];

      expect(await answer([column('bool')], rows)).toEqual(rows);
    });

    test.each([
      'int64',
      'float64',
      'bool',
      'string',
      'timestamp',
      'datetime',
      'date',
      'json',
    ] as const)('answers null in a column of %s', async (kind) => {
      expect(await answer([column(kind)], [[null]])).toEqual([[null]]);
    });

    test('tells an empty string from null', async () => {
      const rows = [[''], [null], ['']];

      expect(await answer([column('string')], rows)).toEqual(rows);
    });

    test('keeps text as it is', async () => {
      const rows = [['ø 漢字 🎉'], ['it\'s "quoted", \\ and\nbroken\tup'], [' spaces '], ['null']];

      expect(await answer([column('string')], rows)).toEqual(rows);
    });

    test('answers instants as microseconds, dates as ISO text and JSON as its text', async () => {
      const columns = [column('timestamp'), column('datetime'), column('date'), column('json')];
      const rows = [['1767323045678901', '-1', '2026-01-02', '{"a":[1,"b",null]}']];

      expect(await answer(columns, rows)).toEqual(rows);
    });

    test('says what a query cost', async () => {
      const columns = [column('string')];

      const result = await run(harness.answering(columns, [['a']]), columns);

      expect(Number.isInteger(result.bytesScanned)).toBe(true);
      expect(result.bytesScanned).toBeGreaterThanOrEqual(0);
      expect(result.queueMs).toBeGreaterThanOrEqual(0);
      expect(result.engineMs).toBeGreaterThanOrEqual(0);
    });

    test('answers query_failed without the text of the engine', async () => {
      const error = await failure(run(harness.failing(), [column('string')]));

      expect(error).toMatchObject({ code: 'query_failed', status: 502 });
      expect(error.message).not.toContain(LEAK);
    });

    test('works on after a failed query', async () => {
      await failure(run(harness.failing(), [column('string')]));

      expect(await answer([column('string')], [['a']])).toEqual([['a']]);
    });

    test('answers query_timeout at the deadline', async () => {
      const error = await failure(run(harness.endless(), [column('int64')], { withinMs: 50 }));

      expect(error).toMatchObject({ code: 'query_timeout', status: 504 });
    });

    test('answers query_timeout when the deadline has passed already', async () => {
      const error = await failure(run(harness.unique(), [column('string')], { withinMs: -1 }));

      expect(error).toMatchObject({ code: 'query_timeout', status: 504 });
    });

    test('works on after a query that ran out of time', async () => {
      await failure(run(harness.endless(), [column('int64')], { withinMs: 50 }));

      expect(await answer([column('string')], [['a']])).toEqual([['a']]);
    });

    test('answers engine_throttled with a time to retry when there is no capacity', async () => {
      await harness.saturate();

      const error = await failure(run(harness.unique(), [column('string')]));

      expect(error).toMatchObject({ code: 'engine_throttled', status: 503 });
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
    });

    test('runs a statement once for concurrent calls with one token', async () => {
      const token = newToken();
      const text = harness.unique();

      const results = await Promise.all(
        [1, 2, 3].map(() => run(text, [column('string')], { token })),
      );

      expect(new Set(results.map(({ rows }) => rows[0]?.[0])).size).toBe(1);
    });

    test('runs a statement again for another token', async () => {
      const text = harness.unique();

      const first = await run(text, [column('string')]);
      const second = await run(text, [column('string')]);

      expect(first.rows).not.toEqual(second.rows);
    });
  });
}

function column(kind: OutputColumn['type']['kind'], name: string = kind): OutputColumn {
  return { name, type: { kind } };
}

/** 36 characters: within the 32 to 128 that a token may have. */
function newToken(): string {
  return randomUUID();
}

async function failure(result: Promise<unknown>): Promise<ServiceError> {
  const error = await result.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof ServiceError)) {
    throw new Error('expected a ServiceError', { cause: error });
  }
  return error;
}
