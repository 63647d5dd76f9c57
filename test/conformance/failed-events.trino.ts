import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { FAILED_EVENT_QUERIES, FAILED_TABLE } from '../../lib/lake/failed-events.ts';
import { failedLine, landedRow } from '../support/aws/failed-records.ts';
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
        'format-conversion-failed',
        'DataFormatConversion.MalformedData',
        'The value does not fit.',
        '2',
        expect.stringContaining('.400'),
        expect.stringContaining('.400'),
      ],
    ]);
  });

  test('show the events that wait in them', async () => {
    const { rows } = await trino.query(events.text);

    expect(rows.map((row) => row[3]).sort()).toEqual(['a', 'b', 'c']);
    expect(rows.find((row) => row[3] === 'a')).toEqual([
      today,
      'The value does not fit.',
      '3f1b2c4d-0000-4000-8000-000000000000',
      'a',
      '2026-11-20 14:03:07.250',
      landedRow({ id: 'a' }),
    ]);
  });
});
