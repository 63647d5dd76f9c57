/**
 * Sends records again that Firehose could not transform or convert, from files that were copied from under
 * `failed/` in the lake bucket. `npm run redrive-failed -- --stream <name> [--stream <name>] [--send] <folder>`
 *
 * Without `--send` it only says what it would do, and with `--print` it prints the events, one JSON document a
 * line, and does nothing else. A file that was sent gets a companion `*.sent`, and is passed over from then on;
 * rows that cannot be repaired go to `*.misfits`, with the reason; records that this release cannot read go to
 * `*.unread`, which is such a file again.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { firehoseClient } from '../src/ingest/delivery/firehose/firehose-client.ts';
import { FirehoseSink } from '../src/ingest/delivery/firehose/firehose-sink.ts';
import {
  FailedFileError,
  readFailedRecords,
} from '../src/ingest/delivery/redrive/conversion-failures.ts';
import { redriveFailed } from '../src/ingest/delivery/redrive/redrive-conversion-failures.ts';
import { SingleRowSink } from '../src/ingest/delivery/redrive/single-row-sink.ts';
import type { EventSink } from '../src/lake/rows/event-sink.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { ServiceError } from '../src/platform/errors.ts';
import { createLogger } from '../src/platform/log.ts';
import { terminalRegion } from './shared/region.ts';

const USAGE = `npm run redrive-failed -- --stream <name> [--stream <name>] [--region <region>] [--send] [--one-row-per-record] <folder>
       npm run --silent redrive-failed -- --print <folder>`;

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
      print: { type: 'boolean' },
      'one-row-per-record': { type: 'boolean' },
    },
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new FailedFileError(`Usage: ${USAGE}`);
  if (values.print === true) {
    for (const file of waitingFiles(folder)) printFile(file);
    return;
  }
  if (values.stream === undefined) throw new FailedFileError(`Usage: ${USAGE}`);
  const Sink = values['one-row-per-record'] === true ? SingleRowSink : FirehoseSink;
  const sink = new Sink({
    client: firehoseClient(values.region ?? (await terminalRegion()).region),
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

function printFile(file: string): void {
  for (const { rows } of located(file, () => readFailedRecords(readFileSync(file, 'utf8')))) {
    if (rows instanceof Error) {
      process.stderr.write(`${file}: ${rows.code}: ${rows.message}\n`);
      process.exitCode = 1;
    } else {
      for (const row of rows) process.stdout.write(`${row}\n`);
    }
  }
}

async function redriveFile(file: string, sink: EventSink | undefined): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const { records, sent, misfits, unread, unreadCodes, errors } = await located(file, () =>
    redriveFailed(text, sink),
  );
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
  for (const [code, count] of Object.entries(unreadCodes)) {
    console.log(`  ${count} records cannot be read: ${code}`);
    process.exitCode = 1;
  }
  // A file of nothing else stays as it is.
  if (sink === undefined || (unread.length > 0 && unread.length === records)) return;
  if (unread.length > 0) {
    console.log(`  kept for later in ${file}.unread`);
    writeFileSync(`${file}.unread`, `${unread.join('\n')}\n`);
  }
  writeFileSync(`${file}.sent`, '');
}

/** What is done with a file, its name before the message of what is wrong with it. */
function located<T>(file: string, read: () => T): T {
  const name = (error: unknown): never => {
    if (error instanceof FailedFileError) throw new FailedFileError(`${file}: ${error.message}`);
    throw error;
  };
  try {
    const result = read();
    return result instanceof Promise ? (result.catch(name) as T) : result;
  } catch (error) {
    return name(error);
  }
}
