import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { AnalystsLake } from './support/analysts-lake.ts';
import { TrinoClient } from './trino/client.ts';

let lake: AnalystsLake;

beforeAll(async () => {
  lake = await AnalystsLake.open(new TrinoClient(inject('trino')));
}, 120_000);
afterAll(() => lake?.close());

describe('the views', () => {
  test('show', async () => {
    await lake.sync();
    console.log(await lake.rows('SELECT * FROM sources'));
    console.log(await lake.rows('SELECT id, "timestamp", dt, hour, ingested_at FROM events'));
    console.log(await lake.rows('SHOW COLUMNS FROM cloudflare_logs_prod'));
  });
  test('compacted', async () => {
    await lake.compact('2026-02-03T06:00:00Z');
    await lake.sync();
    console.log(await lake.rows('SELECT id, "timestamp", dt, hour, ingested_at FROM events'));
    console.log(
      await lake.rows('SELECT id, "timestamp", dt, hour, ingested_at FROM cloudflare_logs_prod'),
    );
    console.log(
      await lake.rows(
        "EXPLAIN SELECT id FROM cloudflare_logs_prod WHERE dt >= DATE '2026-02-03' and \"timestamp\" >= TIMESTAMP '2026-02-03 08:00'",
      ),
    );
  });
});
