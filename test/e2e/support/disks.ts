import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './program.ts';
import { temporaryDirectory } from './server.ts';

/** A data directory on a disk that the kernel says is full, or has room, as a test wants it. */
export interface Disk {
  readonly directory: string;
  /** Runs a command where this disk can be seen. */
  readonly prefix: readonly string[];
  fill(program: Program): Promise<void>;
  free(program: Program): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const SIZE_MIB = 64;
const MOUNT = `mount -t tmpfs -o size=${SIZE_MIB}m tmpfs "$0" && echo mounted && exec sleep 600`;
const UNSHARE = ['--user', '--map-root-user', '--mount'];

/** Whether this user may mount a file system that only processes of its choice see. */
export const canMount =
  spawnSync('unshare', [...UNSHARE, 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0;

/**
 * No file of the program may grow (`RLIMIT_FSIZE` is 0). Needs no rights, so it works on any Linux;
 * the kernel says EFBIG instead of ENOSPC, and refuses every byte at once.
 */
export async function limitedFiles(): Promise<Disk> {
  const directory = await temporaryDirectory();
  const limit = async ({ pid }: Program, bytes: string) => {
    await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
  };
  return {
    directory: directory.path,
    prefix: [],
    fill: (program) => limit(program, '0'),
    free: (program) => limit(program, 'unlimited'),
    remove: () => directory.remove(),
  };
}

/**
 * A file system in memory, in a mount namespace of its own, filled up by another file. As on any
 * disk, what was begun may still be written: a page of 4 KiB is taken whole.
 */
export async function smallDisk(): Promise<Disk> {
  const directory = await temporaryDirectory();
  // Keeps the namespace, and the disk in it, while the program is restarted.
  const holder = spawn('unshare', [...UNSHARE, 'sh', '-c', MOUNT, directory.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'close');
  await once(holder.stdout, 'data');
  const filler = join(`/proc/${holder.pid}/root`, directory.path, 'filler');
  return {
    directory: directory.path,
    prefix: ['nsenter', `--target=${holder.pid}`, '--user', '--mount', '--preserve-credentials'],
    fill: () => writeUntilFull(filler),
    free: () => rm(filler),
    async remove() {
      holder.kill('SIGKILL');
      await ended;
      await directory.remove();
    },
  };
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let mebibytes = 0; mebibytes <= SIZE_MIB; mebibytes++) {
      await file.writeFile(Buffer.alloc(1024 * 1024));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
    throw error;
  } finally {
    await file.close();
  }
  throw new Error('The disk took more than it has.');
}
