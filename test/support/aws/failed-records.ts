/** A row as the service writes it, with other columns. */
export function landedRow(columns: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    source_id: '3f1b2c4d-0000-4000-8000-000000000000',
    id: 'e1',
    timestamp: '2026-11-20 14:03:07.250',
    timestamp_us: 1_795_183_387_250_000,
    event_message: 'hello',
    metadata: '{"level":"info"}',
    ingested_at: '2026-11-20 14:03:07.300',
    ...columns,
  });
}

/** The line that Firehose writes for a record of these rows. */
export function failedLine(rows: readonly string[]): string {
  return JSON.stringify({
    attemptsMade: 1,
    arrivalTimestamp: 1_795_183_387_400,
    lastErrorCode: 'DataFormatConversion.MalformedData',
    lastErrorMessage: 'The value does not fit.',
    attemptEndingTimestamp: 1_795_183_450_000,
    rawData: Buffer.from(rows.join('\n')).toString('base64'),
    sequenceNumber: '49668',
    dataCatalogTable: { databaseName: 'sluice_prod', tableName: 'log_events', versionId: 'LATEST' },
  });
}

/** The line that Firehose writes for a record, in whatever encoding, whose transformation failed. */
export function failedLineOf(record: Uint8Array): string {
  return JSON.stringify({
    rawData: Buffer.from(record).toString('base64'),
    errorCode: 'Lambda.FunctionError',
    errorMessage: 'It ended.',
    attemptsMade: 4,
    arrivalTimestamp: 1_795_183_387_400,
    attemptEndingTimestamp: 1_795_183_450_000,
    lambdaArn: 'arn:aws:lambda:eu-west-1:123456789012:function:transformation:$LATEST',
  });
}
