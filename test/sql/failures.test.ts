import { describe, expect, test } from 'vitest';
import { FAILURES } from './golden/failures.ts';
import { sqlBench } from './support.ts';

const bench = sqlBench({});

describe('what has no value is an error that says so, and no other value', () => {
  test.each(FAILURES)('%s', async (sql) => {
    await expect(bench.rows(sql)).rejects.toMatchObject({ code: 'query_data_error', status: 400 });
  });
});
