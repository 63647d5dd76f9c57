import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_RATES } from '../../src/ingest/limits/token-bucket.ts';
import { startServer } from '../../src/local/server.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { DEFAULT_LOCAL_LIMITS } from '../../src/query/execution/duckdb/local-limits.ts';

const ADMIN_KEY = 'the-admin-key-of-this-test';

let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'sluice-docs-'));
  const server = await startServer(
    {
      port: 0,
      host: '127.0.0.1',
      dataDirectory,
      adminKey: ADMIN_KEY,
      logLevel: 'error',
      rateLimits: DEFAULT_RATES,
      limits: DEFAULT_LOCAL_LIMITS,
    },
    { logger: createLogger({ clock: systemClock, write: () => {} }) },
  );
  url = server.url;
  stop = async () => {
    await server.close();
    await rm(dataDirectory, { recursive: true });
  };
});

afterAll(() => stop());

/** The commands of the document that call the service, in order. */
async function examples(): Promise<string[]> {
  const document = await readFile(new URL('../../docs/http-api.md', import.meta.url), 'utf8');
  const blocks = [...document.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.filter((block) => block.startsWith('curl'));
}

/** Runs a command as a reader would. @returns its JSON. */
async function run(command: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], {
    env: { PATH: process.env.PATH, URL: url, SLUICE_ADMIN_KEY: ADMIN_KEY },
  });
  return JSON.parse(stdout);
}

test('the examples of docs/http-api.md work as they are written, one after the other', async () => {
  const answers: unknown[] = [];
  for (const command of await examples()) {
    // `last` in LQL ends with the full second, and this one's events may be of it.
    if (command.includes('t:last@')) await setTimeout(1_000);
    answers.push(await run(command));
  }

  expect(answers).toEqual([
    { message: 'Logged!' },
    { message: 'Logged!' },
    {},
    { result: [{ hour: 1_699_999_200_000_000, count: 1 }] },
    {
      message: 'Debug: nothing was stored.',
      source: { token: expect.any(String), name: 'cloudflare.logs.prod' },
      stored: 1,
      dropped: 0,
      rejected: 1,
      not_shown: 0,
      events: [
        {
          index: 0,
          id: '7f1c',
          timestamp: '2023-11-14T22:13:20.000Z',
          timestamp_us: 1_700_000_000_000_000,
          event_message: 'paid',
          fields: { _user_id: 7 },
          slots: { _user_id: '7' },
        },
        { index: 1, rejected: 'not a JSON object' },
      ],
    },
    { result: [{ n: 1 }] },
    { result: [{ n: 0 }] },
    { result: expect.arrayContaining([{ event_message: 'paid' }]) },
    {
      result: expect.arrayContaining([
        expect.objectContaining({ endpoint: 'logs.all', errors: 0, key_id: expect.any(String) }),
      ]),
    },
    expect.objectContaining({ name: 'shop.logs', token: expect.any(String) }),
    expect.objectContaining({ name: 'shop.quiet', drop_lql_string: 'm.level:debug' }),
    expect.objectContaining({ name: 'shop.since', version: 1, warnings: [] }),
    expect.objectContaining({ scopes: 'ingest', token: expect.stringMatching(/^sluice_/) }),
  ]);
});

test('the example under "Duplicates" counts an event once that was sent twice', async () => {
  const all = await examples();
  const [send = ''] = all;
  const deduplicate = all.find((command) => command.includes('row_number()')) ?? '';
  const count = all.find((command) => command.includes('count(*) as n from')) ?? '';

  await run(send);
  await run(send);

  const copies = (await run(count)) as { result: { n: number }[] };
  expect(copies.result[0]?.n).toBeGreaterThan(1);
  expect(await run(deduplicate)).toEqual({
    result: [{ hour: 1_699_999_200_000_000, count: 1 }],
  });
});
