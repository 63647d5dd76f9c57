import { basename } from 'node:path';
import {
  type DurableFile,
  type FileSystem,
  nodeFileSystem,
} from '../../src/local/storage/disk/file-system.ts';

export type Operation =
  | 'open'
  | 'write'
  | 'truncate'
  | 'datasync'
  | 'sync'
  | 'close'
  | 'rename'
  | 'unlink';

/** The real file system with each call counted, and failing where a test says so. */
export class FaultyFileSystem implements FileSystem {
  /** Every call that was made, as `operation name-of-the-file`. */
  readonly calls: string[] = [];
  /** Code of the error that a call fails with, or undefined to let it through. */
  fault: (operation: Operation, name: string) => string | undefined = () => undefined;
  /** Bytes that are said to be left on the disk. */
  free = Number.POSITIVE_INFINITY;
  /** Awaited before each call. */
  gate: (operation: Operation, name: string) => Promise<void> = async () => undefined;

  count(call: string): number {
    return this.calls.filter((made) => made.startsWith(call)).length;
  }

  async open(path: string, flags: string): Promise<DurableFile> {
    await this.#pass('open', path);
    const file = await nodeFileSystem.open(path, flags);
    return {
      write: async (data, offset, length, position) => {
        const code = await this.#record('write', path);
        if (code !== undefined) {
          // As a full disk does: some of the bytes are there, and then no more.
          await file.write(data, offset, Math.floor(length / 2), position);
          throw failure(code);
        }
        return file.write(data, offset, length, position);
      },
      truncate: async (length) => {
        await this.#pass('truncate', path);
        await file.truncate(length);
      },
      datasync: async () => {
        await this.#pass('datasync', path);
        await file.datasync();
      },
      fd: file.fd,
      sync: async () => {
        await this.#pass('sync', path);
        await file.sync();
      },
      close: async () => {
        await file.close();
        await this.#pass('close', path);
      },
    };
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#pass('rename', from);
    await nodeFileSystem.rename(from, to);
  }

  async unlink(path: string): Promise<void> {
    await this.#pass('unlink', path);
    await nodeFileSystem.unlink(path);
  }

  async freeBytes(): Promise<number> {
    return this.free;
  }

  async #pass(operation: Operation, path: string): Promise<void> {
    const code = await this.#record(operation, path);
    if (code !== undefined) throw failure(code);
  }

  async #record(operation: Operation, path: string): Promise<string | undefined> {
    const name = basename(path);
    this.calls.push(`${operation} ${name}`);
    await this.gate(operation, name);
    return this.fault(operation, name);
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: injected by a test`), { code });
}
