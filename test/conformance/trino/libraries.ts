import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Progress } from './progress.ts';

const POM = fileURLToPath(new URL('pom.xml', import.meta.url));
const LAST_LINES = 20;

/**
 * The class path of pom.xml. Downloaded once into the cache directory; after that neither Maven nor
 * the network is needed, until the pom changes.
 *
 * @throws Error when Maven is missing or cannot get what the pom names.
 */
export async function libraries(cache: string, progress: Progress): Promise<string> {
  const key = createHash('sha256')
    .update(await readFile(POM))
    .digest('hex')
    .slice(0, 12);
  const list = join(cache, `classpath-${key}.txt`);
  const known = await readFile(list, 'utf8').catch(() => '');
  if (known !== '' && (await allExist(known.split(delimiter)))) return known;
  const draft = `${list}.new`;
  await resolveDependencies(join(cache, 'repository'), draft, progress);
  const classPath = (await readFile(draft, 'utf8')).trim();
  await writeFile(draft, classPath);
  await rename(draft, list);
  return classPath;
}

async function allExist(files: readonly string[]): Promise<boolean> {
  return Promise.all(files.map((file) => access(file))).then(
    () => true,
    () => false,
  );
}

async function resolveDependencies(
  repository: string,
  output: string,
  progress: Progress,
): Promise<void> {
  progress.step('downloading about 300 MB with Maven, once');
  const maven = spawn(
    'mvn',
    [
      '--batch-mode',
      `--file=${POM}`,
      `-Dmaven.repo.local=${repository}`,
      'dependency:build-classpath',
      `-Dmdep.outputFile=${output}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const last: string[] = [];
  let files = 0;
  createInterface({ input: maven.stdout }).on('line', (line) => {
    if (/ Download(ing|ed) from /.test(line)) {
      files += line.includes(' Downloaded ') ? 1 : 0;
      progress.tick(`downloading, ${files} files so far`);
      return;
    }
    last.push(line);
    last.splice(0, last.length - LAST_LINES);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    maven.on('error', (cause) => {
      reject(new Error('Maven (mvn) is needed once, to download Trino: install it.', { cause }));
    });
    maven.on('close', resolve);
  });
  if (code !== 0) throw new Error(`Maven could not download Trino:\n${last.join('\n')}`);
}
