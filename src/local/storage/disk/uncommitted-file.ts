import { type FileSystem, removeFile } from './file-system.ts';

/**
 * Sees to it that a file which was to join a table, and did not, is not found by the next start:
 * beside another file with the same rows it would show them twice.
 */
export class UncommittedFile {
  readonly #fileSystem: FileSystem;
  #path: string | undefined;

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  /**
   * Runs a task that writes a file and makes it part of a table. The file is removed when the task
   * fails, or, where even that fails, before the next task starts.
   */
  async discardOnFailure(path: string, task: () => Promise<void>): Promise<void> {
    await this.#remove();
    this.#path = path;
    try {
      await task();
      this.#path = undefined;
    } catch (error) {
      await this.#remove();
      throw error;
    }
  }

  async #remove(): Promise<void> {
    if (this.#path !== undefined) {
      await removeFile(this.#fileSystem, this.#path);
      this.#path = undefined;
    }
  }
}
