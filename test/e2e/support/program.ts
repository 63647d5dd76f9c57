import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';
import { ADMIN_KEY } from './server.ts';

/** The service as a process of its own, as `npm start` runs it. */
export interface Program {
  readonly sluice: Client;
  /** Sends a signal and waits for the end. @returns the exit code; null when the signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../../../src/local/main.ts', import.meta.url));

/** @throws Error with what the program printed when it ends before it is ready. */
export async function startProgram(dataDirectory: string): Promise<Program> {
  const child = spawn(process.execPath, [MAIN], {
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
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}
