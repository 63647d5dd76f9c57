import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FirehoseSink } from '../../../../src/ingest/delivery/firehose/firehose-sink.ts';
import { redriveFailed } from '../../../../src/ingest/delivery/redrive/redrive-conversion-failures.ts';
import {
  type AwsServer,
  startAwsServer,
  type WireAnswer,
  wireError,
} from '../../../support/aws/aws-server.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { failedLine, landedRow } from '../../../support/aws/failed-records.ts';
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

  test('says how it is used', async () => {
    await expect(run(folder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Usage: /),
    });
  });
});
