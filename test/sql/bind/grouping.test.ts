import { describe, expect, test } from 'vitest';
import { FUNCTION_CASES } from '../../conformance/cases/function-cases.ts';
import { SAMPLES } from '../../conformance/cases/samples.ts';
import { sqlBench } from '../support.ts';

const bench = sqlBench({ samples: SAMPLES });

describe('a call in SELECT is the same call in GROUP BY', () => {
  test.each(Object.entries(FUNCTION_CASES))('%s', (_, calls) => {
    for (const call of calls) {
      const sql = `select ${call} as grouped, count(*) as rows_ from samples group by ${call}`;

      expect(() => bench.compile(sql), call).not.toThrow();
    }
  });

  test('another part or format is another call', () => {
    for (const [selected, grouped] of [
      ['timestamp_trunc(timestamp, hour)', 'timestamp_trunc(timestamp, day)'],
      ["format_timestamp('%F', timestamp)", "format_timestamp('%T', timestamp)"],
      ["datetime(timestamp, 'Asia/Tokyo')", "datetime(timestamp, 'Asia/Seoul')"],
      ["regexp_extract(text, 'a')", "regexp_extract(text, 'b')"],
    ]) {
      expect(() =>
        bench.compile(`select ${selected} as x from samples group by ${grouped}`),
      ).toThrow('neither grouped nor aggregated');
    }
  });
});
