import { createHash, randomUUID } from 'node:crypto';
import type { AthenaDdlRunner } from '../../../platform/athena/athena-ddl.ts';
import type { AthenaEngine } from '../../../platform/athena/athena-engine.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { StatementRefused, type WireRow } from '../../../platform/execution.ts';
import type { Logger } from '../../../platform/log.ts';
import { COMPACTED_TABLE, LANDING_TABLE } from '../../layout/columns.ts';
import type { CompactionStore, HourRange } from '../compaction-store.ts';
import { dayOf, HOUR_MS } from '../hours.ts';
import * as sql from './compaction-sql.ts';

export interface AthenaCompactionStoreDeps {
  /** For what is read. */
  readonly engine: Pick<AthenaEngine, 'run'>;
  /** For what is changed, in the same workgroup and database. */
  readonly statements: Pick<AthenaDdlRunner, 'run'>;
  /** As FROM names them; as they are deployed when left out. */
  readonly tables?: sql.CompactionTables;
  /** URL of the S3 prefix of the compacted table, with a slash at its end. */
  readonly location: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds since the epoch after which this run waits for nothing any more. */
  readonly deadline: number;
}

const AS_DEPLOYED: sql.CompactionTables = {
  landing: `"${LANDING_TABLE}"`,
  compacted: `"${COMPACTED_TABLE}"`,
};

/** OPTIMIZE and VACUUM may do a portion and ask to be run again. After this many runs they have failed. */
const MAX_RUNS = 20;

/** The compacted table as an Iceberg table that Athena writes. One instance serves one run of the job. */
export class AthenaCompactionStore implements CompactionStore {
  readonly maxDaysPerCopy = sql.MAX_DAYS_PER_COPY;
  readonly #deps: AthenaCompactionStoreDeps;
  readonly #tables: sql.CompactionTables;
  /** OPTIMIZE of all days, once it was needed. */
  #allOptimized: Promise<void> | undefined;

  constructor(deps: AthenaCompactionStoreDeps) {
    this.#deps = deps;
    this.#tables = deps.tables ?? AS_DEPLOYED;
  }

  /**
   * By statements of its own and not by CloudFormation, whose updates of a Glue table take away what
   * makes it an Iceberg table (aws-cdk#29660).
   */
  async prepare(): Promise<void> {
    await this.#change(sql.createTableSql(COMPACTED_TABLE, this.#deps.location));
  }

  async landedRows(range: HourRange): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#read(sql.landedRowsSql(this.#tables, range), 3);
    return new Map(
      rows.map(([dt, hour, count]) => [
        Date.parse(String(dt)) + Number(hour) * HOUR_MS,
        Number(count),
      ]),
    );
  }

  async missingDays(hour: number): Promise<readonly string[]> {
    const days = texts(await this.#read(sql.landedDaysSql(this.#tables, hour), 1));
    if (days.length === 0) return [];
    // Usually nothing was copied from the hour yet, and which rows have a copy from another one is
    // for the copy to find: reading all contents only to tell the days would cost as much again.
    const copied = await this.#read(sql.anyCopySql(this.#tables, hour), 1);
    if (copied.length === 0) return days;
    return texts(await this.#read(sql.missingDaysSql(this.#tables, hour, days), 1));
  }

  copyStatement(hour: number, days: readonly string[]): string {
    return sql.copySql(this.#tables, hour, days);
  }

  async copy(
    hour: number,
    days: readonly string[],
    token: string,
    text = this.copyStatement(hour, days),
  ): Promise<void> {
    await this.#deps.statements.run({ text, token, deadline: this.#deps.deadline });
  }

  /**
   * The properties are set here and not with the table, which an earlier release may have created:
   * nothing else writes to it now.
   *
   * Where Athena does not take the condition on the day, one statement without it does for all days of this run.
   */
  async optimize(day: string): Promise<void> {
    if (this.#allOptimized !== undefined) return this.#allOptimized;
    await this.#change(sql.setThresholdsSql(COMPACTED_TABLE));
    try {
      await this.#repeat(sql.optimizeSql(COMPACTED_TABLE, day));
    } catch (error) {
      if (!(error instanceof StatementRefused)) throw error;
      this.#deps.logger.warn('all days are optimized, as one day was refused', { day });
      this.#allOptimized = this.#repeat(sql.optimizeSql(COMPACTED_TABLE));
      await this.#allOptimized;
    }
  }

  /**
   * Days of all sources are whole partitions, whose files Trino takes out of the table as they are. For
   * rows of one source, which share their files, Athena writes files that list what is deleted.
   */
  async deleteBefore(
    day: string,
    sourceId: string | undefined,
    noteDays: (days: readonly string[]) => Promise<void>,
  ): Promise<void> {
    // Every DELETE makes another state of the table, even one without effect.
    if (sourceId === undefined) {
      if ((await this.#read(sql.anyOldSql(this.#tables, day), 1)).length === 0) return;
    } else {
      const days = texts(await this.#read(sql.oldDaysSql(this.#tables, day, sourceId), 1));
      if (days.length === 0) return;
      await noteDays(days);
    }
    await this.#change(sql.deleteSql(this.#tables, day, sourceId));
  }

  expireSnapshots(): Promise<void> {
    return this.#repeat(sql.vacuumSql(COMPACTED_TABLE));
  }

  async #repeat(text: string): Promise<void> {
    for (let run = 1; ; run++) {
      try {
        return await this.#change(text, run);
      } catch (error) {
        const isPartDone = error instanceof ServiceError && error.code === 'more_runs_needed';
        if (!isPartDone || run === MAX_RUNS) throw error;
      }
    }
  }

  async #read(text: string, width: number): Promise<readonly WireRow[]> {
    const { deadline } = this.#deps;
    return (await this.#deps.engine.run({ text, width, token: randomUUID(), deadline })).rows;
  }

  /**
   * The token is the day's: a later run waits for the execution that an earlier one began, and starts
   * another only when that has failed.
   */
  #change(text: string, number = 1): Promise<void> {
    const { clock, deadline } = this.#deps;
    const name = `${dayOf(clock.now())} ${number} ${text}`;
    const token = createHash('sha256').update(name).digest('hex');
    return this.#deps.statements.run({ text, token, deadline });
  }
}

function texts(rows: readonly WireRow[]): string[] {
  return rows.flatMap(([text]) => (text === null || text === undefined ? [] : [text]));
}
