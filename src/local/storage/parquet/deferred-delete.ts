import type { Logger } from '../../../platform/log.ts';
import { type FileSystem, removeFile } from '../disk/file-system.ts';
import type { LakeFile } from './parquet-files.ts';

/** Removes files that are part of no table any more, once no query reads them. */
export class DeferredDelete {
  readonly #fileSystem: FileSystem;
  readonly #logger: Logger;
  readonly #removing = new Set<Promise<void>>();

  constructor(fileSystem: FileSystem, logger: Logger) {
    this.#fileSystem = fileSystem;
    this.#logger = logger;
  }

  /** @param unused resolves when the files may go. */
  add(files: readonly Pick<LakeFile, 'path'>[], unused: Promise<void>): void {
    const removing = unused.then(() => this.#remove(files));
    this.#removing.add(removing);
    void removing.then(() => this.#removing.delete(removing));
  }

  /** Resolves when all files that were given so far are gone. */
  async emptied(): Promise<void> {
    await Promise.all(this.#removing);
  }

  async #remove(files: readonly Pick<LakeFile, 'path'>[]): Promise<void> {
    for (const { path } of files) {
      try {
        await removeFile(this.#fileSystem, path);
      } catch (error) {
        this.#logger.warn('a Parquet file that is not needed any more could not be removed', {
          error: String(error),
        });
      }
    }
  }
}
