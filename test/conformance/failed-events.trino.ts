import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { FAILED_EVENT_QUERIES, FAILED_TABLE } from '../../lib/lake/failed-events.ts';
import { packRecords } from '../../src/ingest/delivery/record/pack.ts';
import { encodeRecord } from '../../src/ingest/delivery/record/record-encoding.ts';
import { unknownEncoding } from '../support/aws/encoded-records.ts';
import { failedLine, failedLineOf, landedRow } from '../support/aws/failed-records.ts';
import { glueTable } from './support/glue-table.ts';
import { TrinoClient } from './trino/client.ts';

const [byError, events] = FAILED_EVENT_QUERIES;

const today = new Date().toISOString().slice(0, 10);

describe("Firehose's error files under the definition of their Glue table", () => {
  const trino = new TrinoClient(inject('trino'));
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-failed-'));
    const folder = join(directory, 'failed', 'format-conversion-failed', `dt=${today}`);
    await mkdir(folder, { recursive: true });
    const records = [
      failedLine([landedRow({ id: 'a' }), landedRow({ id: 'b' })]),
      failedLine([landedRow({ id: 'c', level: {} })]),
    ];
    await writeFile(join(folder, 'sluice-landing-1'), `${records.join('\n')}\n`);
    const unprocessed = join(directory, 'failed', 'processing-failed', `dt=${today}`);
    await mkdir(unprocessed, { recursive: true });
    const rows = Array.from({ length: 60 }, (_, id) => landedRow({ id: `compressed-${id}` }));
    const unread = [
      ...packRecords(rows).map(encodeRecord),
      unknownEncoding([landedRow({ id: 'newer' })]),
      Buffer.from([0xff, 1, 2]),
    ];
    await writeFile(join(unprocessed, 'sluice-landing-1'), unread.map(failedLineOf).join('\n'));
    await trino.createTable(
      glueTable({
        name: FAILED_TABLE,
        directory,
        firstDay: '2026-01-01',
        resource: 'FailedEventsTable',
      }),
    );
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('are counted by error', async () => {
    const { rows } = await trino.query(byError.text);

    expect(rows).toEqual([
      [
        today,
        'processing-failed',
        'Lambda.FunctionError',
        'It ended.',
        '3',
        // 60 rows, two of the newer encoding, and none that are known of what is damaged.
        '62',
        expect.stringContaining('.400'),
        expect.stringContaining('.400'),
      ],
      [
        today,
        'format-conversion-failed',
        'DataFormatConversion.MalformedData',
        'The value does not fit.',
        '2',
        '3',
        expect.stringContaining('.400'),
        expect.stringContaining('.400'),
      ],
    ]);
  });

  test('show the events that wait in them', async () => {
    const { rows } = await trino.query(events.text);

    expect(rows.flatMap((row) => row[3] ?? []).sort()).toEqual(['a', 'b', 'c']);
    expect(rows.find((row) => row[3] === 'a')).toEqual([
      today,
      'The value does not fit.',
      '3f1b2c4d-0000-4000-8000-000000000000',
      'a',
      '2026-11-20 14:03:07.250',
      landedRow({ id: 'a' }),
    ]);
  });

  test('say of compressed records how many events wait in them, and of which source', async () => {
    const { rows } = await trino.query(events.text);

    const told = 'events, compressed: npm run redrive-failed -- --print shows them';
    const compressed = rows.filter((row) => row[3] === null);
    expect(compressed.map((row) => [row[5], row[2]]).sort()).toEqual([
      [`2 ${told}`, null],
      [`60 ${told}`, '3f1b2c4d-0000-4000-8000-000000000000'],
      [`unknown ${told}`, null],
    ]);
  });
});
