import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';
import { ADMIN_KEY } from './server.ts';

/** The service as a process of its own, as `npm start` runs it. */
export interface Program {
  readonly sluice: Client;
  readonly pid: number;
  /** Sends a signal and waits for the end. @returns the exit code; null when the signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../../../src/local/main.mjs', import.meta.url));

/**
 * @param prefix a command that runs the one after it in its own process, with that command's id.
 * @throws Error with what the program printed when it ends before it is ready.
 */
export async function startProgram(
  dataDirectory: string,
  prefix: readonly string[] = [],
): Promise<Program> {
  const [command = process.execPath, ...args] = [...prefix, process.execPath, MAIN];
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      SLUICE_DATA_DIR: dataDirectory,
      SLUICE_ADMIN_KEY: ADMIN_KEY,
      SLUICE_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  const read = (text: string) => {
    output += text;
    const found = /ready at (\S+),/.exec(output)?.[1];
    if (found !== undefined) resolve(found);
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  child.on('close', () => reject(new Error(`The program ended: ${output}`)));
  return {
    sluice: new Client(await url, ADMIN_KEY),
    // There is one, since it has said that it is ready.
    pid: child.pid as number,
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}
