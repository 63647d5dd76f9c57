import { systemClock } from '../../src/platform/clock.ts';
import type { WireRow } from '../../src/platform/execution.ts';
import type { OutputColumn } from '../../src/sql/common/result-schema.ts';
import { eventSinkContract } from '../ports/event-sink.contract.ts';
import { LEAK, queryEngineContract } from '../ports/query-engine.contract.ts';
import { runStatement } from '../support/run-statement.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';
import { cleanUpAfterEach, crashCopy, ids, openLake, temporaryDirectory } from './support.ts';

cleanUpAfterEach();

eventSinkContract('LocalSink', async () => {
  const directory = await temporaryDirectory();
  const fileSystem = new FaultyFileSystem();
  const lake = await openLake(directory, { fileSystem });
  return {
    sink: lake.sink,
    async stored() {
      const survivor = await openLake(await crashCopy(directory));
      const found = await ids(survivor);
      await survivor.close();
      return found;
    },
    refuse(refusing) {
      fileSystem.fault = (operation) => (refusing && operation === 'write' ? 'ENOSPC' : undefined);
    },
    close: () => lake.close(),
  };
});

const ENDLESS =
  'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range = b.range % 7';
/** More than run and wait at a time. */
const MORE_THAN_CAPACITY = 40;

queryEngineContract('DuckdbEngine', async () => {
  const lake = await openLake(await temporaryDirectory());
  return {
    engine: lake.engine,
    clock: systemClock,
    answering: literalRows,
    unique: () => 'SELECT CAST(uuid() AS VARCHAR)',
    failing: () => `SELECT column_of_it FROM ${LEAK}`,
    endless: () => ENDLESS,
    async saturate() {
      for (let started = 0; started < MORE_THAN_CAPACITY; started += 1) {
        runStatement(lake.engine, {
          text: ENDLESS,
          columns: [{ name: 'n', type: { kind: 'int64' } }],
          deadline: systemClock.now() + 30_000,
        })
          // Ended by the close of the lake, which is no concern of the test that runs beside it.
          .catch(() => undefined);
      }
    },
    close: () => lake.close(),
  };
});

/** A SELECT of these cells as literals of the types that compiled statements answer with. */
function literalRows(columns: readonly OutputColumn[], rows: readonly WireRow[]): string {
  const names = columns.map((_, index) => `c${index}`);
  const cells = columns.map(({ type }, index) => `CAST(c${index} AS ${DUCKDB_TYPES[type.kind]})`);
  if (rows.length === 0) {
    return `SELECT ${columns.map(({ type }) => `CAST(NULL AS ${DUCKDB_TYPES[type.kind]})`)} WHERE false`;
  }
  const tuples = rows.map((row, index) => `(${[index, ...row.map(literal)].join(', ')})`);
  return `SELECT ${cells.join(', ')} FROM (VALUES ${tuples.join(', ')}) t(i, ${names.join(', ')}) ORDER BY i`;
}

const DUCKDB_TYPES: Readonly<Record<OutputColumn['type']['kind'], string>> = {
  int64: 'BIGINT',
  float64: 'DOUBLE',
  bool: 'BOOLEAN',
  string: 'VARCHAR',
  timestamp: 'BIGINT',
  datetime: 'BIGINT',
  date: 'DATE',
  json: 'VARCHAR',
};

function literal(cell: string | null): string {
  return cell === null ? 'NULL' : `'${cell.replaceAll("'", "''")}'`;
}
