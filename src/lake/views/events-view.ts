import { quoteName } from '../../platform/sql-text.ts';
import { COMPACTED_TABLE, COMPACTED_TIME, LANDING_TABLE } from '../layout/columns.ts';
import { EVENT_COLUMNS } from './columns.ts';
import { EVENTS_VIEW } from './names.ts';
import type { View } from './view.ts';

/** What the tables of events are called, as a statement names them. */
export interface ViewedTables {
  readonly landing: string;
  readonly compacted: string;
}

export interface EventsViewProps {
  /**
   * Start of the first hour that is not compacted, milliseconds since the epoch; undefined while
   * nothing is, and then the compacted table may not exist. An older one than compaction has reached
   * by now gives the same rows, as landing files outlive their compaction by days: it only reads more
   * of the small ones.
   */
  readonly watermark: number | undefined;
  /** @default the tables' names in the lake's database */
  readonly tables?: ViewedTables;
}

const TABLES: ViewedTables = {
  landing: quoteName(LANDING_TABLE),
  compacted: quoteName(COMPACTED_TABLE),
};

/** What differs from the landing table's column: how the compacted one says the hour of arrival. */
const COMPACTED: Readonly<Record<string, string>> = {
  dt: 'CAST(landed_hour AS date)',
  hour: 'CAST(HOUR(landed_hour) AS integer)',
  timestamp: widened(quoteName(COMPACTED_TIME)),
};

/**
 * Hive tables of Athena have timestamps of milliseconds and Iceberg tables of microseconds. Views on
 * this one keep the type that they were made with, so it must not change when compaction begins; and
 * only the wider of the two leaves a comparison with it one that prunes.
 */
const WIDENED = new Set(['timestamp', 'ingested_at']);

/** The whole lake as one table: every event once, however far compaction got. Fields are in their slots. */
export function eventsView({ watermark, tables = TABLES }: EventsViewProps): View {
  if (watermark === undefined) {
    return { name: EVENTS_VIEW, query: selectColumns(tables.landing, {}) };
  }
  const iso = new Date(watermark).toISOString();
  const day = iso.slice(0, 10);
  const hour = Number(iso.slice(11, 13));
  const compacted =
    `${selectColumns(tables.compacted, COMPACTED)}\n` +
    `WHERE landed_hour < TIMESTAMP '${day} ${iso.slice(11, 19)}'`;
  const landing =
    `${selectColumns(tables.landing, {})}\n` +
    `WHERE (dt > DATE '${day}' OR (dt = DATE '${day}' AND hour >= ${hour}))`;
  return { name: EVENTS_VIEW, query: `${compacted}\nUNION ALL\n${landing}` };
}

function selectColumns(table: string, expressions: Readonly<Record<string, string>>): string {
  const columns = EVENT_COLUMNS.map((name) => {
    const column = quoteName(name);
    const expression = expressions[name] ?? (WIDENED.has(name) ? widened(column) : undefined);
    return expression === undefined ? column : `${expression} AS ${column}`;
  });
  return `SELECT ${columns.join(', ')}\nFROM ${table}`;
}

function widened(column: string): string {
  return `CAST(${column} AS timestamp(6))`;
}
