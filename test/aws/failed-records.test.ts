import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FailedFileError, readFailedRecords, repairRow } from '../../src/aws/failed-records.ts';
import { LANDING_COLUMNS } from '../../src/lake/columns.ts';
import { failedLine, landedRow } from './support/failed-records.ts';

describe('a file of failed records', () => {
  test('has the error and the rows of a record on each line', () => {
    const rows = [landedRow({ id: 'a' }), landedRow({ id: 'b' })];

    expect(readFailedRecords(`${failedLine(rows)}\n${failedLine([landedRow({})])}\n`)).toEqual([
      {
        errorCode: 'DataFormatConversion.MalformedData',
        errorMessage: 'The value does not fit.',
        rows,
      },
      expect.objectContaining({ rows: [landedRow({})] }),
    ]);
  });

  test("is read with the developer guide's names of the fields, too", () => {
    const line = JSON.stringify({ ErrorCode: 'X', ErrorMessage: 'Y', rawData: btoa('{}') });

    expect(readFailedRecords(line)).toEqual([{ errorCode: 'X', errorMessage: 'Y', rows: ['{}'] }]);
  });

  test.each([
    ['a line that was cut off', '{"rawData":', /^Line 1 is not JSON\./],
    ['a line of another kind', `\n{"message":"hello"}`, /^Line 2 is not a record[\s\S]*rawData/],
    ['data that is not base64', '{"rawData":"{}"}', /^Line 1 is not a record/],
  ])('is refused whole for %s', (_what, text, message) => {
    expect(() => readFailedRecords(text)).toThrow(FailedFileError);
    expect(() => readFailedRecords(text)).toThrow(message);
  });

  test('never fails in another way, whatever it holds', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ rawData: fc.oneof(fc.base64String(), fc.json()) }).map((o) => JSON.stringify(o)),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        try {
          for (const { rows } of readFailedRecords(lines.join('\n'))) rows.map(repairRow);
        } catch (error) {
          expect(error).toBeInstanceOf(FailedFileError);
        }
      }),
    );
  });
});

describe('repairing a row', () => {
  test('leaves one that fits as it is, to the letter', () => {
    const row = `${landedRow({ response_status_code: 200 }).slice(0, -1)}, "level" : "\\u0061"}`;

    expect(repairRow(row)).toEqual({ row, dropped: [] });
  });

  test('takes a promoted column out that does not fit', () => {
    const row = landedRow({ response_status_code: 'OK', execution_time_ms: 1.5, level: 'info' });

    expect(repairRow(row)).toEqual({
      row: landedRow({ level: 'info' }),
      dropped: ['response_status_code', 'execution_time_ms'],
    });
  });

  test('keeps the digits of integers that JavaScript has no number for', () => {
    const row = landedRow({ level: {} }).replace(
      '"level":{}',
      '"level":{},"response_origin_time":9223372036854775807',
    );

    expect(repairRow(row)).toMatchObject({
      row: expect.stringContaining('"response_origin_time":9223372036854775807'),
      dropped: ['level'],
    });
  });

  test.each([
    ['text that is no JSON', '{"id":', 'is not JSON'],
    ['a list', '[]', 'is not a JSON object'],
    ['a row without its id', landedRow({ id: undefined }), 'has no id'],
    [
      'metadata that was not written as text',
      landedRow({ metadata: { Level: 'info' } }),
      'has a value in metadata that does not fit',
    ],
    [
      'a column that only a newer release knows',
      landedRow({ new_column: 1 }),
      'has a value in new_column that does not fit',
    ],
  ])('leaves alone what would lose something: %s', (_what, row, fault) => {
    expect(repairRow(row)).toEqual({ fault });
  });

  test('makes rows that need no repair', () => {
    const names = LANDING_COLUMNS.map(({ name }) => name);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (columns) => {
        const repair = repairRow(landedRow(columns));
        if ('fault' in repair) return;
        expect(repairRow(repair.row)).toEqual({ row: repair.row, dropped: [] });
        expect(repair.dropped.every((name) => !JSON.parse(repair.row)[name])).toBe(true);
      }),
    );
  });
});
