/** `npm run verify` against the chain: everything holds, and what is broken on purpose is found. */
import { afterEach, expect, test } from 'vitest';
import { CHECKS } from '../../src/verify/checks/index.ts';
import { verify } from '../../src/verify/program.ts';
import { ADMIN_KEY, shared } from '../e2e/support/server.ts';
import type { Chain } from './chain/chain.ts';
import { startChain } from './chain/service.ts';

const running = shared(async (directory) => {
  const chain = await startChain({ directory });
  return {
    chain,
    sluice: undefined as never,
    settle: () => chain.settle(),
    close: () => chain.close(),
  };
});

/** Firehose delivers every half second, and the warmer's schedule comes every five seconds. */
function keepGoing(chain: Chain): () => Promise<void> {
  const stopped = new AbortController();
  const every = async (ms: number, task: () => Promise<unknown>) => {
    while (!stopped.signal.aborted) {
      await task();
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  };
  const loops = [
    every(500, () => chain.delivery.flush()),
    every(5_000, () => chain.invoke('warmer', {})),
  ];
  return async () => {
    stopped.abort();
    await Promise.all(loops);
  };
}

let stop = async (): Promise<void> => {};
afterEach(async () => {
  await stop();
  stop = async () => {};
  running().chain.landing.treat.firehose = () => 'ok';
  running().chain.landing.treat.sqs = () => 'ok';
  running().chain.athena.reset();
});

async function run(...args: readonly string[]) {
  let [stdout, stderr] = ['', ''];
  const code = await verify({
    args: ['--url', running().chain.url, ...args],
    environment: { SLUICE_ADMIN_KEY: ADMIN_KEY },
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    interrupted: new AbortController().signal,
  });
  expect(stdout + stderr).not.toContain(ADMIN_KEY);
  return { code, stdout, stderr };
}

/** Executions of the query that is to be slow take half a minute. */
function slowDown({ athena }: Chain): void {
  athena.fateOf = (text) =>
    /\b31\b[\s\S]*\b17\b/.test(text)
      ? { runningUntil: new Promise((resolve) => setTimeout(resolve, 32_000, undefined)) }
      : undefined;
}

test('everything holds of what runs on AWS', async () => {
  const { chain } = running();
  stop = keepGoing(chain);
  slowDown(chain);

  const { code, stdout } = await run('--timeout', '120');

  expect(stdout).toMatch(/ 0 do not, /);
  expect(code).toBe(0);
  // All but compaction, which needs hours.
  expect(stdout.match(/^[a-z-]+ +holds /gm)).toHaveLength(CHECKS.length - 1);
  expect(stdout).toMatch(/^slow-queries +holds .*answered after 2\d s/m);
}, 400_000);

test('a stream that delivers nothing is found by the events that never come', async () => {
  // No loop: what Firehose took stays in its buffer.
  const { code, stdout } = await run('--timeout', '4', '--only', 'lake-formats,logs-all');

  expect(code).toBe(1);
  expect(stdout).toContain('lake-formats does not hold');
  expect(stdout).toMatch(/expected {2}a row with "verify_\w+-object"\n +came +none among 0 rows/);
  expect(stdout).toContain('docs/runbook.md#lake-stale');
}, 120_000);

test('where neither the stream nor the queue takes anything, ingest is found wanting', async () => {
  const { landing } = running().chain;
  landing.treat.firehose = () => ({ error: 'AccessDeniedException' });
  landing.treat.sqs = () => ({ error: 'AccessDeniedException' });

  const { code, stdout } = await run('--timeout', '4', '--only', 'debug,ingest-batch');

  expect(code).toBe(1);
  expect(stdout).toMatch(/expected {2}200\n +came +503 .*sink_unavailable/);
}, 240_000);
