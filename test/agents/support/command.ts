import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const LAST_CHARACTERS = 4_000;

export interface CommandOptions {
  readonly cwd?: string;
  /** Beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a command to its end.
 *
 * @param need what to do on a machine that lacks the command, a sentence.
 * @returns what it printed on standard output.
 * @throws Error with that sentence, or with what the command printed when it fails.
 */
export async function command(
  name: string,
  args: readonly string[],
  need: string,
  { cwd, env = {} }: CommandOptions = {},
): Promise<string> {
  try {
    const { stdout } = await execute(name, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, LC_ALL: 'C', ...env },
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (cause) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = cause as {
      code?: unknown;
      stdout?: string;
      stderr?: string;
    };
    if (code === 'ENOENT') throw new Error(need, { cause });
    const printed = `${stdout}${stderr}`.slice(-LAST_CHARACTERS);
    throw new Error(`${name} ${args.join(' ')} failed:\n${printed}`, { cause });
  }
}
