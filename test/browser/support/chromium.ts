import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Apt } from '../../agents/support/apt.ts';
import { command } from '../../agents/support/command.ts';
import type { Progress } from '../../conformance/trino/progress.ts';

/** How Chromium is started on this machine. */
export interface Chromium {
  readonly executable: string;
  /** Beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The machine's own Chromium, else Debian's, unpacked and not installed. It is downloaded once into the
 * cache directory.
 *
 * @throws Error on a machine that has neither Chromium nor apt-get.
 */
export async function findChromium(cache: string, progress: Progress): Promise<Chromium> {
  const installed = await onPath('chromium');
  return installed === undefined
    ? await unpacked(cache, progress)
    : { executable: installed, env: {} };
}

async function onPath(name: string): Promise<string | undefined> {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((path) => join(path, name));
  const found = await Promise.all(candidates.map(exists));
  return candidates[found.indexOf(true)];
}

/** Where PulseAudio's library looks for another of its own by an absolute path, which leads out of the folder. */
const PRIVATE_LIBRARIES = 'pulseaudio';

async function unpacked(cache: string, progress: Progress): Promise<Chromium> {
  const code = await readFile(new URL(import.meta.url));
  const key = createHash('sha256').update(code).digest('hex').slice(0, 12);
  const root = join(cache, `chromium-${key}`);
  if (!(await exists(root))) await unpack(root, join(cache, 'apt'), progress);
  // Named after the machine's architecture. There is none if the machine has every library itself.
  const libraries = (await readdir(join(root, 'usr/lib'))).filter((name) =>
    name.includes('-linux-'),
  );
  return {
    executable: join(root, 'usr/lib/chromium/chromium'),
    env: {
      LD_LIBRARY_PATH: libraries
        .flatMap((name) => [name, join(name, PRIVATE_LIBRARIES)])
        .map((name) => join(root, 'usr/lib', name))
        .join(delimiter),
    },
  };
}

async function unpack(root: string, cache: string, progress: Progress): Promise<void> {
  const draft = `${root}.new`;
  await rm(draft, { recursive: true, force: true });
  const archives = join(draft, 'archives');
  await mkdir(archives, { recursive: true });
  progress.step('downloading Chromium of Debian, once');
  await (await Apt.open(cache)).download(['chromium'], archives);
  for (const file of (await readdir(archives)).filter((name) => name.endsWith('.deb'))) {
    await command('dpkg-deb', ['-x', join(archives, file), draft], 'dpkg-deb is missing.');
  }
  await rm(archives, { recursive: true });
  await rename(draft, root);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
