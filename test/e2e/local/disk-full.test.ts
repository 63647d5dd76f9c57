import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../support/client.ts';
import { canMount, type Disk, limitedFiles, smallDisk } from '../support/disks.ts';
import { type Program, startProgram } from '../support/program.ts';

const WRITERS = 4;
const PATIENCE = { timeout: 15_000, interval: 50 };
const REFUSED = { status: 503, body: { code: 'sink_unavailable', error: expect.any(String) } };

// Every wait may take its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const IS_LINUX = process.platform === 'linux';
const DISKS = [
  {
    name: 'a program whose files may not grow',
    make: limitedFiles,
    possible: IS_LINUX,
    needs: 'prlimit, by which Linux alone limits the files of a program that runs',
  },
  {
    name: 'a disk without room',
    make: smallDisk,
    possible: canMount,
    needs: 'the right to mount a disk of a few megabytes, which containers often forbid',
  },
];

for (const { name, make, possible, needs } of DISKS) {
  describe.runIf(possible)(possible ? name : `${name} (needs ${needs})`, () => behaviour(make));
}

function behaviour(makeDisk: () => Promise<Disk>): void {
  let disk: Disk;
  let program: Program;
  beforeEach(async () => {
    disk = await makeDisk();
    program = await startProgram(disk.directory, disk.prefix);
    await program.sluice.createSource('journal');
    await program.sluice.createEndpoint({
      name: 'journal.copies',
      query: 'select id, count(*) as copies from journal group by id',
      max_limit: 10_000,
    });
    await program.sluice.createEndpoint({
      name: 'journal.cached',
      query: 'select count(*) as n from journal where id <> @id',
      cache_duration_seconds: 3600,
    });
  });
  afterEach(async () => {
    await program.end('SIGKILL');
    await disk.remove();
  });

  /** Clients that send events until they are accepted, one request after the other. */
  class Writers {
    readonly acknowledged: string[] = [];
    readonly refusals: Answer[] = [];
    #stopped = false;
    readonly #running = Array.from({ length: WRITERS }, () => this.#write());

    async stop(): Promise<void> {
      this.#stopped = true;
      await Promise.all(this.#running);
    }

    async #write(): Promise<void> {
      while (!this.#stopped) {
        const ids = [randomUUID(), randomUUID()];
        const body = ids.map((id) => ({ id, message: 'm'.repeat(1_000) }));
        await this.#sendUntilAccepted(body);
        this.acknowledged.push(...ids);
      }
    }

    async #sendUntilAccepted(body: unknown): Promise<void> {
      for (;;) {
        const answer = await program.sluice.post('/logs?source_name=journal', body);
        // A pause in any case, so that a run stays within what one answer can hold.
        await setTimeout(20);
        if (answer.status === 200) return;
        this.refusals.push(answer);
      }
    }
  }

  /** Ids that were acknowledged, each of them once. */
  async function journal(): Promise<Map<unknown, unknown>> {
    const rows = await program.sluice.rows('journal.copies');
    return new Map(rows.map(({ id, copies }) => [id, copies]));
  }

  const once = (ids: readonly string[]) => new Map(ids.toSorted().map((id) => [id, 1]));
  const sorted = (counts: Map<unknown, unknown>) =>
    new Map([...counts].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));

  test('refuses events, answers queries, recovers, and loses and doubles nothing', async () => {
    const writers = new Writers();
    await vi.waitFor(() => expect(writers.acknowledged.length).toBeGreaterThan(20), PATIENCE);

    await disk.fill(program);
    await vi.waitFor(() => expect(writers.refusals.length).toBeGreaterThan(20), PATIENCE);
    const before = [...writers.acknowledged];
    const found = await journal();
    const uncached = await program.sluice.query('journal.cached', { id: randomUUID() });

    expect(writers.refusals.map(({ status, body }) => ({ status, body }))).toEqual(
      writers.refusals.map(() => REFUSED),
    );
    expect(writers.refusals.map(({ headers }) => headers.get('Retry-After'))).not.toContain(null);
    expect(before.filter((id) => found.get(id) !== 1)).toEqual([]);
    expect(uncached.rows).toHaveLength(1);

    await disk.free(program);
    const resumed = writers.acknowledged.length;
    await vi.waitFor(
      () => expect(writers.acknowledged.length).toBeGreaterThan(resumed + 20),
      PATIENCE,
    );
    await writers.stop();

    expect(sorted(await journal())).toEqual(once(writers.acknowledged));
    await program.end('SIGKILL');
    program = await startProgram(disk.directory, disk.prefix);
    expect(sorted(await journal())).toEqual(once(writers.acknowledged));
  });

  test('refuses changes of the registry, goes on reading it, and recovers', async () => {
    const create = (name: string) => program.sluice.post('/api/sources', { name });
    const names = async () => {
      const sources = (await program.sluice.call('/api/sources')).body as { name: string }[];
      return sources.map(({ name }) => name);
    };
    const made: string[] = [];

    await disk.fill(program);
    const refused = await vi.waitFor(async () => {
      const name = `full-${randomUUID()}`;
      const answer = await create(name);
      if (answer.status === 201) made.push(name);
      expect(answer.status).toBe(503);
      return answer;
    }, PATIENCE);
    const readable = await names();
    await disk.free(program);
    await vi.waitFor(async () => expect((await create('with-room')).status).toBe(201), PATIENCE);
    // What LevelDB appends behind half a record is lost at its next start.
    await create('with-room-2');
    await program.end('SIGKILL');
    program = await startProgram(disk.directory, disk.prefix);

    expect(refused.body).toMatchObject({ code: 'registry_unavailable' });
    expect(refused.headers.get('Retry-After')).not.toBeNull();
    expect(readable).toEqual(expect.arrayContaining(['journal', ...made]));
    expect(await names()).toEqual(
      expect.arrayContaining(['journal', ...made, 'with-room', 'with-room-2']),
    );
  });
}
