import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A `writer.ts` or `compactor.ts` process. */
export interface Writer {
  /** Waits until this many rows were acknowledged. */
  acknowledged(count: number): Promise<void>;
  /** Ends it with SIGKILL. @returns the ids of all rows it acknowledged. */
  kill(): Promise<readonly string[]>;
}

export function startWriter(directory: string, rotateBytes = 1_000_000): Promise<Writer> {
  return start('./writer.ts', directory, String(rotateBytes));
}

/** @param at what its clock says at the start, milliseconds since the epoch. */
export function startCompactor(directory: string, at: number): Promise<Writer> {
  return start('./storage/compacted/compactor.ts', directory, String(at));
}

async function start(script: string, ...args: readonly string[]): Promise<Writer> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const ended = once(child, 'close');
  let wake = () => {};
  child.stdout.on('data', () => wake());
  child.on('close', () => wake());
  const ids = () => output.stdout.split('\n').slice(0, -1);
  return {
    async acknowledged(count) {
      while (ids().length < count) {
        if (child.exitCode !== null) throw new Error(`the writer ended: ${output.stderr}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      return ids();
    },
  };
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  return output;
}
