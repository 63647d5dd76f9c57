/**
 * Sends records again that Firehose could not convert, from files that were copied from under
 * `failed/` in the lake bucket. `npm run redrive-failed -- --stream <name> [--stream <name>] [--send] <folder>`
 *
 * Without `--send` it only says what it would do. A file that was sent gets a companion `*.sent`, and is
 * passed over from then on; rows that cannot be repaired go to `*.misfits`, with the reason.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { firehoseClient } from '../src/ingest/delivery/firehose/firehose-client.ts';
import { FirehoseSink } from '../src/ingest/delivery/firehose/firehose-sink.ts';
import { FailedFileError } from '../src/ingest/delivery/redrive/conversion-failures.ts';
import { redriveFailed } from '../src/ingest/delivery/redrive/redrive-conversion-failures.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { ServiceError } from '../src/platform/errors.ts';
import { createLogger } from '../src/platform/log.ts';

const USAGE =
  'npm run redrive-failed -- --stream <name> [--stream <name>] [--region <region>] [--send] <folder>';

/** Long enough for the 4 MiB that one file of 128 KB records may hold, on a busy stream. */
const BUDGET_MS = 60_000;

try {
  await main();
} catch (error) {
  if (!(error instanceof FailedFileError || error instanceof ServiceError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      stream: { type: 'string', multiple: true },
      region: { type: 'string' },
      send: { type: 'boolean' },
    },
  });
  const [folder, ...more] = positionals;
  if (values.stream === undefined || folder === undefined || more.length > 0) {
    throw new FailedFileError(`Usage: ${USAGE}`);
  }
  const sink = new FirehoseSink({
    client: firehoseClient(values.region),
    stream: values.stream,
    // What is repaired depends on as little as possible.
    compress: false,
    clock,
    logger: createLogger({ clock, level: 'warn' }),
    budgetMs: BUDGET_MS,
  });
  for (const file of waitingFiles(folder)) {
    await redriveFile(file, values.send === true ? sink : undefined);
  }
}

function waitingFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(sent|misfits)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !existsSync(`${file}.sent`))
    .sort();
}

async function redriveFile(file: string, sink: FirehoseSink | undefined): Promise<void> {
  const { records, sent, misfits, errors } = await redriveFailed(
    readFileSync(file, 'utf8'),
    sink,
  ).catch((error) => {
    if (error instanceof FailedFileError) throw new FailedFileError(`${file}: ${error.message}`);
    throw error;
  });
  console.log(
    `${file}: ${records} records, ${sent} rows ${sink === undefined ? 'to send' : 'sent'}`,
  );
  for (const [message, count] of Object.entries(errors)) console.log(`  ${count} x ${message}`);
  if (misfits.length > 0) {
    console.log(`  ${misfits.length} rows do not fit the table: see ${file}.misfits`);
    const lines = misfits.map((one) => JSON.stringify(one));
    writeFileSync(`${file}.misfits`, `${lines.join('\n')}\n`);
    process.exitCode = 1;
  }
  if (sink !== undefined) writeFileSync(`${file}.sent`, '');
}
