import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packRecords } from '../../../../src/ingest/delivery/record/pack.ts';
import {
  encodeRecord,
  RecordError,
} from '../../../../src/ingest/delivery/record/record-encoding.ts';
import {
  FailedFileError,
  readFailedRecords,
  rowFault,
} from '../../../../src/ingest/delivery/redrive/conversion-failures.ts';
import { unknownEncoding } from '../../../support/aws/encoded-records.ts';
import { failedLine, failedLineOf, landedRow } from '../../../support/aws/failed-records.ts';

describe('a file of failed records', () => {
  test('has the error and the rows of a record on each line', () => {
    const rows = [landedRow({ id: 'a' }), landedRow({ id: 'b' })];
    const line = failedLine(rows);

    expect(readFailedRecords(`${line}\n${failedLine([landedRow({})])}\n`)).toEqual([
      {
        errorCode: 'DataFormatConversion.MalformedData',
        errorMessage: 'The value does not fit.',
        rows,
        line,
      },
      expect.objectContaining({ rows: [landedRow({})] }),
    ]);
  });

  test("is read with the developer guide's names of the fields, too", () => {
    const line = JSON.stringify({ ErrorCode: 'X', ErrorMessage: 'Y', rawData: btoa('{}') });

    expect(readFailedRecords(line)).toEqual([
      { errorCode: 'X', errorMessage: 'Y', rows: ['{}'], line },
    ]);
  });

  test('has the rows of compressed records, as a transformation that failed leaves them', () => {
    const rows = Array.from({ length: 60 }, (_, id) => landedRow({ id: String(id) }));
    const line = packRecords(rows).map((record) => failedLineOf(encodeRecord(record)));

    expect(readFailedRecords(line.join('\n'))).toMatchObject([
      { errorCode: 'Lambda.FunctionError', errorMessage: 'It ended.', rows },
    ]);
  });

  test('says of a record that cannot be read why', () => {
    const lines = [unknownEncoding([landedRow({})]), Buffer.from([0xff, 1, 2])].map(failedLineOf);

    const codes = readFailedRecords(lines.join('\n')).map(
      ({ rows }) => rows instanceof RecordError && rows.code,
    );

    expect(codes).toEqual(['unknown_encoding', 'damaged_record']);
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
          for (const { rows } of readFailedRecords(lines.join('\n'))) {
            if (!(rows instanceof RecordError)) rows.map(rowFault);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(FailedFileError);
        }
      }),
    );
  });
});

describe('a row', () => {
  test('that the service wrote fits the table', () => {
    expect(rowFault(landedRow({ s000: 'a', s127: '1.5', project: null }))).toBeUndefined();
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
    [
      'a slot that holds no text',
      landedRow({ s000: 200 }),
      'has a value in s000 that does not fit',
    ],
  ])('does not fit: %s', (_what, row, fault) => {
    expect(rowFault(row)).toBe(fault);
  });
});
