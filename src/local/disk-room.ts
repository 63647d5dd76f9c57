import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFileSystem } from './file-system.ts';

/**
 * Whether the kernel takes so many bytes in a directory now. Free blocks alone do not tell: quotas
 * and limits of file sizes refuse writes, too.
 */
export async function hasRoom(directory: string, bytes: number): Promise<boolean> {
  // Room that is only just there is left to others; the trial would take it from them.
  if ((await nodeFileSystem.freeBytes(directory)) < 2 * bytes) {
    return false;
  }
  const path = join(directory, 'room.tmp');
  try {
    const file = await open(path, 'w');
    try {
      await file.writeFile(Buffer.alloc(bytes));
      await file.sync();
      return true;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  } finally {
    await rm(path, { force: true });
  }
}
