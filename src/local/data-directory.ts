import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import type { LeveledLogger } from '../platform/log.ts';
import type { LocalLimits } from '../query/execution/duckdb/local-limits.ts';
import { StartError } from './config.ts';
import { startDynamoDB } from './dynalite/dynamodb.ts';
import { LocalLake } from './lake.ts';
import { nodeFileSystem, syncDirectory } from './storage/disk/file-system.ts';

export interface DataDirectory {
  readonly lake: LocalLake;
  /** Client of the registry and the result cache; see `LOCAL_TABLES`. */
  readonly client: DynamoDBDocumentClient;
  /**
   * Frees the directory for another process.
   *
   * @param queries settles once no query uses the client any more; by then the lake is closed, which
   *   ends every query, so a caller who waits for one does not wait for long.
   */
  close(queries?: Promise<unknown>): Promise<void>;
}

/** Name of the empty file that says how events are kept. */
const LAYOUT = 'layout-slots';

/**
 * Opens `SLUICE_DATA_DIR`, which holds `wal/`, `lake/`, `spill/` and `registry/`; creates what is missing.
 *
 * @throws StartError when another process has it, it is an earlier release's, or it cannot be read.
 */
export async function openDataDirectory(
  directory: string,
  deps: {
    readonly logger: LeveledLogger;
    readonly clock: Clock;
    readonly limits?: LocalLimits;
  },
): Promise<DataDirectory> {
  try {
    await mkdir(directory, { recursive: true });
    await checkLayout(directory);
    // The lake first: its lock tells best who else has the directory.
    const lake = await LocalLake.open({ directory, ...deps });
    try {
      const dynamo = await startDynamoDB(join(directory, 'registry'), deps);
      const close = async (queries?: Promise<unknown>): Promise<void> => {
        await lake.close();
        await queries;
        await dynamo.close();
      };
      return { lake, client: dynamo.client, close };
    } catch (error) {
      await lake.close();
      throw error;
    }
  } catch (cause) {
    deps.logger.debug('the data directory could not be opened', { error: cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The data in ${directory} cannot be opened: ${reason}`, { cause });
  }
}

/**
 * Takes a new directory, or one whose rows have slots: those of earlier releases have none, and queries
 * would find no field in them.
 */
async function checkLayout(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (names.includes(LAYOUT)) return;
  if (names.includes('wal') || names.includes('lake')) {
    throw new Error(
      'an earlier release made it, which kept events in another way. Set SLUICE_DATA_DIR to a new directory.',
    );
  }
  await (await open(join(directory, LAYOUT), 'a')).close();
  await syncDirectory(nodeFileSystem, directory);
}
