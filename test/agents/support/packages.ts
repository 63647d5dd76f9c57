import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '../../conformance/trino/progress.ts';
import { Apt } from './apt.ts';
import { command } from './command.ts';
import { buildOmhttp } from './omhttp.ts';

/** The two agents cannot be installed together. rsyslog's omhttp is compiled with the headers. */
const PACKAGES = [
  ['syslog-ng-core', 'syslog-ng-mod-http'],
  ['rsyslog', 'libestr-dev', 'libfastjson-dev', 'libcurl4-gnutls-dev', 'zlib1g-dev'],
];

/**
 * The agents, unpacked and not installed. Downloaded once into the cache directory; after that no
 * network is needed, until the code that unpacks them changes.
 *
 * @returns the directory that stands for `/`.
 * @throws Error on a machine without apt-get, or without a C compiler.
 */
export async function agentsRoot(cache: string, progress: Progress): Promise<string> {
  const key = await digest(['packages.ts', 'omhttp.ts', 'apt.ts']);
  const root = join(cache, `root-${key}`);
  if (await exists(root)) return root;
  const draft = `${root}.new`;
  await rm(draft, { recursive: true, force: true });
  const archives = join(draft, 'archives');
  await mkdir(archives, { recursive: true });
  progress.step('downloading packages of Debian, once');
  const apt = await Apt.open(join(cache, 'apt'));
  for (const packages of PACKAGES) await apt.download(packages, archives);
  const files = (await readdir(archives)).filter((name) => name.endsWith('.deb'));
  for (const file of files) {
    await command('dpkg-deb', ['-x', join(archives, file), draft], 'dpkg-deb is missing.');
  }
  progress.step('compiling omhttp, which Debian ships as source only');
  const source = join(draft, 'source');
  await mkdir(source);
  await apt.downloadSource('rsyslog', source);
  await buildOmhttp(source, draft);
  await writeFile(join(draft, 'packages.txt'), `${files.toSorted().join('\n')}\n`);
  await rename(draft, root);
  return root;
}

async function digest(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 12);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The directory of a root's libraries: its name tells the machine's architecture. */
export async function libraryDirectory(root: string): Promise<string> {
  const names = await readdir(join(root, 'usr/lib'));
  const name = names.find((entry) => entry.includes('-linux-'));
  if (name === undefined) throw new Error(`${root} has no libraries.`);
  return join(root, 'usr/lib', name);
}
