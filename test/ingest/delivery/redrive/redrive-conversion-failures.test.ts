import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FirehoseSink } from '../../../../src/ingest/delivery/firehose/firehose-sink.ts';
import { packRecords } from '../../../../src/ingest/delivery/record/pack.ts';
import { encodeRecord } from '../../../../src/ingest/delivery/record/record-encoding.ts';
import { redriveFailed } from '../../../../src/ingest/delivery/redrive/redrive-conversion-failures.ts';
import {
  type AwsServer,
  startAwsServer,
  type WireAnswer,
  wireError,
} from '../../../support/aws/aws-server.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { unknownEncoding } from '../../../support/aws/encoded-records.ts';
import { failedLine, failedLineOf, landedRow } from '../../../support/aws/failed-records.ts';
import { FakeFirehose } from '../../../support/aws/fake-firehose.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

function sinkOf(firehose: FakeFirehose): FirehoseSink {
  const clock = new TestClock();
  const { client } = firehose;
  const logger = new LogRecorder();
  return new FirehoseSink({ client, stream: 'landing', clock, logger, sleep: clock.sleep });
}

describe('re-driving failed records', () => {
  test('sends each row letter by letter, and counts the errors', async () => {
    const firehose = new FakeFirehose();
    const rows = [
      landedRow({ id: 'a' }),
      `${landedRow({ id: 'b' }).slice(0, -1)}, "s000" : "\\u0061"}`,
    ];

    const result = await redriveFailed(failedLine(rows), sinkOf(firehose));

    expect(firehose.storedRows).toEqual(rows);
    expect(result).toEqual({
      records: 1,
      sent: 2,
      misfits: [],
      unread: [],
      unreadCodes: {},
      errors: { 'DataFormatConversion.MalformedData: The value does not fit.': 1 },
    });
  });

  test('sends again what the stream refuses, and nothing twice', async () => {
    const firehose = new FakeFirehose([{ refuse: [0] }]);

    await redriveFailed(failedLine([landedRow({})]), sinkOf(firehose));

    expect(firehose.storedRows).toEqual([landedRow({})]);
  });

  test('hands back what does not fit, and sends the rest', async () => {
    const firehose = new FakeFirehose();

    const { misfits } = await redriveFailed(
      failedLine(['{"id":', landedRow({})]),
      sinkOf(firehose),
    );

    expect(misfits).toEqual([{ row: '{"id":', fault: 'is not JSON' }]);
    expect(firehose.storedRows).toEqual([landedRow({})]);
  });

  test('hands back records that it cannot read, and sends the rest', async () => {
    const firehose = new FakeFirehose();
    const unread = failedLineOf(unknownEncoding([landedRow({})]));
    const text = [unread, failedLine([landedRow({})])].join('\n');

    const result = await redriveFailed(text, sinkOf(firehose));

    expect(firehose.storedRows).toEqual([landedRow({})]);
    expect(result).toMatchObject({
      records: 2,
      sent: 1,
      unread: [unread],
      unreadCodes: { unknown_encoding: 1 },
    });
  });

  test('sends nothing of a file that is damaged', async () => {
    const firehose = new FakeFirehose();

    const redriven = redriveFailed(`${failedLine([landedRow({})])}\n{`, sinkOf(firehose));

    await expect(redriven).rejects.toThrow(/^Line 2 is not JSON/);
    expect(firehose.calls).toEqual([]);
  });
});

describe('the command', () => {
  let folder: string;
  let server: AwsServer;
  let answer: WireAnswer;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-failed-'));
    answer = {
      status: 200,
      body: { FailedPutCount: 0, RequestResponses: [{ RecordId: 'a' }] },
    };
    server = await startAwsServer(() => answer);
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const run = (...options: string[]) =>
    promisify(execFile)(process.execPath, ['bin/redrive-failed.ts', ...options]);
  const send = () => run('--stream', 'landing', '--region', 'eu-west-1', '--send', folder);
  const sentRows = () =>
    server.calls.flatMap(({ input }) =>
      (input as { Records: { Data: string }[] }).Records.map(({ Data }) => atob(Data)),
    );

  test('only looks unless it is told to send', async () => {
    writeFileSync(join(folder, 'a'), failedLine([landedRow({})]));

    const { stdout } = await run('--stream', 'landing', folder);

    expect(stdout).toContain('a: 1 records, 1 rows to send');
    expect(server.calls).toEqual([]);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('sends every file once, however often it is called', async () => {
    writeFileSync(join(folder, 'a'), failedLine([landedRow({})]));

    await send();
    await send();

    expect(sentRows()).toEqual([landedRow({})]);
    expect(readdirSync(folder)).toEqual(['a', 'a.sent']);
  });

  test('keeps what does not fit, and ends with a failure', async () => {
    writeFileSync(join(folder, 'a'), failedLine(['nothing', landedRow({})]));

    await expect(send()).rejects.toMatchObject({ code: 1 });

    expect(sentRows()).toEqual([landedRow({})]);
    expect(JSON.parse(readFileSync(join(folder, 'a.misfits'), 'utf8'))).toEqual({
      row: 'nothing',
      fault: 'is not JSON',
    });
  });

  test('leaves a file for the next call when the stream does not take it', async () => {
    writeFileSync(join(folder, 'a'), failedLine([landedRow({})]));
    answer = wireError('AccessDeniedException');

    await expect(send()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Events cannot be stored'),
    });

    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('prints the events of all files, compressed or not, and sends none', async () => {
    const rows = Array.from({ length: 60 }, (_, id) => landedRow({ id: String(id) }));
    writeFileSync(
      join(folder, 'a'),
      packRecords(rows).map(encodeRecord).map(failedLineOf).join(''),
    );
    writeFileSync(join(folder, 'b'), failedLine([landedRow({})]));

    const { stdout } = await run('--print', folder);

    expect(stdout).toBe(`${[...rows, landedRow({})].join('\n')}\n`);
    expect(readdirSync(folder)).toEqual(['a', 'b']);
  });

  test('prints around a record that it cannot read, whose code it tells apart', async () => {
    const lines = [failedLineOf(unknownEncoding([landedRow({})])), failedLine([landedRow({})])];
    writeFileSync(join(folder, 'a'), lines.join('\n'));

    await expect(run('--print', folder)).rejects.toMatchObject({
      code: 1,
      stdout: `${landedRow({})}\n`,
      stderr: expect.stringMatching(/a: unknown_encoding: /),
    });
  });

  test('puts each row into a record of its own when it is told to', async () => {
    const rows = ['a', 'b', 'c'].map((id) => landedRow({ id }));
    writeFileSync(join(folder, 'a'), failedLine(rows));
    const stored = { FailedPutCount: 0, RequestResponses: rows.map((RecordId) => ({ RecordId })) };
    answer = { status: 200, body: stored };

    const options = ['--one-row-per-record', '--send', folder];
    await run('--stream', 'landing', '--region', 'eu-west-1', ...options);

    expect(sentRows()).toEqual(rows);
    expect(readdirSync(folder)).toEqual(['a', 'a.sent']);
  });

  test('leaves such a file, too, when the stream does not take it', async () => {
    writeFileSync(join(folder, 'a'), failedLine([landedRow({})]));
    answer = wireError('AccessDeniedException');

    const options = ['--one-row-per-record', '--send', folder];
    const sent = run('--stream', 'landing', '--region', 'eu-west-1', ...options);

    await expect(sent).rejects.toMatchObject({ code: 1 });
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('keeps records that it cannot read in a file for later', async () => {
    const unread = failedLineOf(unknownEncoding([landedRow({})]));
    writeFileSync(join(folder, 'a'), [unread, failedLine([landedRow({})])].join('\n'));

    await expect(send()).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 records cannot be read: unknown_encoding'),
    });
    // The file for later is such a file again, and stays one until a release reads it.
    await expect(send()).rejects.toMatchObject({ code: 1 });

    expect(sentRows()).toEqual([landedRow({})]);
    expect(readdirSync(folder)).toEqual(['a', 'a.sent', 'a.unread']);
    expect(readFileSync(join(folder, 'a.unread'), 'utf8')).toBe(`${unread}\n`);
  });

  test('says how it is used', async () => {
    await expect(run(folder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Usage: /),
    });
  });
});
