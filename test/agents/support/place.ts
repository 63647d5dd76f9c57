import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory for one agent: its configuration, its buffers, the file that it reads. */
export interface Place extends AsyncDisposable {
  readonly path: string;
  /** A directory for what the agent keeps. */
  readonly spool: string;
}

/** @param files by name; each with its lines. */
export async function place(files: Readonly<Record<string, readonly string[]>>): Promise<Place> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-agent-'));
  const spool = join(path, 'spool');
  await mkdir(spool);
  for (const [name, lines] of Object.entries(files)) {
    await writeFile(join(path, name), lines.map((line) => `${line}\n`).join(''));
  }
  return { path, spool, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
