import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** A file that names another one of the project, both from its root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const PROJECT = join(import.meta.dirname, '../..');

/** `import ... from`, `export ... from`, `import '...'` and `import('...')`, types included. */
const IMPORT = /(?:\bfrom|\bimport\s*\(?)\s*'(\.[^']+)'/g;

/** Files of the project that git knows or would add, below some folders; what is generated aside. */
export function filesBelow(...folders: readonly string[]): readonly string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', ...folders];
  return execFileSync('git', list, { cwd: PROJECT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !/\/(gen|proto)\//.test(file))
    .filter((file) => existsSync(join(PROJECT, file)));
}

/** What the TypeScript files among those given import of the project. */
export function importsOf(files: readonly string[]): readonly Import[] {
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((from) =>
      readFileSync(join(PROJECT, from), 'utf8')
        .matchAll(IMPORT)
        .map(([, path = '']) => ({ from, to: join(dirname(from), path) }))
        .toArray(),
    );
}

/**
 * The folders that can be reached from themselves over the imports of others, as groups, each in the
 * order of the alphabet. Files in a subfolder are not files of the folder.
 */
export function cyclesOf(imports: readonly Import[]): readonly (readonly string[])[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [folder, other] = [dirname(from), dirname(to)];
    if (folder !== other) next.set(folder, (next.get(folder) ?? new Set()).add(other));
  }
  const reach = new Map([...next.keys()].map((folder) => [folder, reachable(folder, next)]));
  const isBothWays = (a: string, b: string) =>
    reach.get(a)?.has(b) === true && reach.get(b)?.has(a) === true;
  const inCycles = [...next.keys()].filter((folder) => isBothWays(folder, folder)).sort();
  const groups = inCycles.map((folder) => inCycles.filter((other) => isBothWays(folder, other)));
  return groups.filter((group, index) => inCycles[index] === group[0]);
}

function reachable(folder: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const waiting = [...(next.get(folder) ?? [])];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (!found.has(one)) {
      found.add(one);
      waiting.push(...(next.get(one) ?? []));
    }
  }
  return found;
}
