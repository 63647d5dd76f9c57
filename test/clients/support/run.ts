import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAMS = fileURLToPath(new URL('../programs/', import.meta.url));
const LAST_CHARACTERS = 4_000;

/** What a program is told, in the environment, as `SLUICE_URL`, `SLUICE_KEY` and so on. */
export interface Setting {
  readonly url: string;
  readonly key: string;
  /** UUID of the source. */
  readonly source: string;
  readonly [name: string]: string;
}

/**
 * Runs a user's program to its end: a file of `test/clients/programs`.
 *
 * @param input text for its standard input.
 * @returns what it printed on standard output.
 * @throws Error with what it printed when it fails.
 */
export async function run(
  program: string,
  setting: Setting,
  { input = '', args = [] }: { input?: string; args?: readonly string[] } = {},
): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: PROGRAMS,
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(
        Object.entries(setting).map(([name, value]) => [`SLUICE_${name.toUpperCase()}`, value]),
      ),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin.end(input);
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  if (code !== 0) {
    throw new Error(
      `${program} ended with ${code}:\n${`${printed}${errors}`.slice(-LAST_CHARACTERS)}`,
    );
  }
  return printed;
}
