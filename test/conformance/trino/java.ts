import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Trino 449 was built for it (pom.xml). */
const OLDEST = 22;
/** Where Linux distributions, macOS and SDKMAN put their JDKs. */
const HOMES: readonly (readonly [directory: string, inside: string])[] = [
  ['/usr/lib/jvm', ''],
  ['/Library/Java/JavaVirtualMachines', 'Contents/Home'],
  [join(process.env.HOME ?? '', '.sdkman/candidates/java'), ''],
];

const run = promisify(execFile);

/**
 * Finds a JDK: `JAVA_HOME`, else the one on the PATH, else one that lies where JDKs lie.
 *
 * @returns the path of its `java`
 * @throws Error that lists what was found, when none is new enough.
 */
export async function findJava(): Promise<string> {
  const found: string[] = [];
  for (const java of await candidates()) {
    const version = await versionOf(java);
    if (version !== undefined && version >= OLDEST) return java;
    found.push(`${java} (${version ?? 'does not run'})`);
  }
  throw new Error(
    `Trino needs a JDK, version ${OLDEST} or later. Install one, or set JAVA_HOME to it. Found: ${found.join(', ')}.`,
  );
}

async function candidates(): Promise<string[]> {
  const { JAVA_HOME } = process.env;
  const lists = HOMES.map(async ([directory, inside]) => {
    const names = await readdir(directory).catch(() => []);
    return names.sort().map((name) => join(directory, name, inside, 'bin', 'java'));
  });
  return [
    ...(JAVA_HOME === undefined ? [] : [join(JAVA_HOME, 'bin', 'java')]),
    'java',
    ...(await Promise.all(lists)).flat(),
  ];
}

/** Major version; undefined where nothing answers. */
async function versionOf(java: string): Promise<number | undefined> {
  try {
    const { stderr } = await run(java, ['-version']);
    const digits = /version "(\d+)/.exec(stderr)?.[1];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
}
