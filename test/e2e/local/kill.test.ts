import { randomInt, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import { type Program, startProgram } from '../support/program.ts';
import { temporaryDirectory } from '../support/server.ts';

/** A round leaves a file; four of an hour are merged, and the clock may strike once on the way. */
const ROUNDS = 7;
const WRITERS = 8;
/** With five events at most in each, all rounds together fit into one answer of 10,000 rows. */
const MAX_REQUESTS = 150;

// Eight starts of the program take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let program: Program;
beforeEach(async () => {
  directory = await temporaryDirectory();
  program = await startProgram(directory.path);
});
afterEach(async () => {
  await program.end('SIGKILL');
  await directory.remove();
});

/** Posts lists of events to the journal, one list after the other, until no server answers. */
async function write(sluice: Client, onAcknowledged: (ids: readonly string[]) => void) {
  try {
    for (;;) {
      const ids = Array.from({ length: randomInt(1, 6) }, () => randomUUID());
      const events = ids.map((id) => ({ id, message: 'entry', metadata: { level: 'info' } }));
      await sluice.send('journal', events);
      onAcknowledged(ids);
    }
  } catch (error) {
    // How `fetch` says that the connection is gone.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Lets eight writers loose and kills the program at some moment. @returns the acknowledged ids. */
async function writeUntilKilled(): Promise<string[]> {
  const acknowledged: string[] = [];
  let requestsLeft = randomInt(1, MAX_REQUESTS);
  const writers = Array.from({ length: WRITERS }, () =>
    write(program.sluice, (ids) => {
      acknowledged.push(...ids);
      requestsLeft -= 1;
      if (requestsLeft === 0) void program.end('SIGKILL');
    }),
  );
  await Promise.all(writers);
  await program.end('SIGKILL');
  return acknowledged;
}

/** How often the journal holds each id. */
async function journal(): Promise<Map<unknown, unknown>> {
  const rows = await program.sluice.rows('journal.copies');
  return new Map(rows.map(({ id, copies }) => [id, copies]));
}

/** Log that is not Parquet yet; the running program may have begun one. */
async function segments(): Promise<string[]> {
  const files = await readdir(join(directory.path, 'wal'));
  return files.filter((file) => file.endsWith('.ndjson'));
}

test('what was acknowledged is there exactly once, however often the program is killed', async () => {
  await program.sluice.createSource('journal');
  await program.sluice.createEndpoint({
    name: 'journal.copies',
    query: 'select id, count(*) as copies from journal group by id',
    max_limit: 10_000,
  });
  const acknowledged: string[] = [];

  for (let round = 0; round < ROUNDS; round++) {
    acknowledged.push(...(await writeUntilKilled()));
    // What the killed program left is turned into Parquet while the next round writes.
    program = await startProgram(directory.path);
  }
  const found = await journal();
  await vi.waitFor(async () => expect((await segments()).length).toBeLessThan(2), {
    timeout: 20_000,
  });
  const foundInParquet = await journal();

  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS);
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  expect([...found.values()].filter((copies) => copies !== 1)).toEqual([]);
  expect(foundInParquet).toEqual(found);
});
