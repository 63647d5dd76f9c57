import type { LakeType } from '../../../src/lake/layout/columns.ts';

export const TRINO_TYPES: Readonly<Record<LakeType, string>> = {
  string: 'varchar',
  bigint: 'bigint',
  timestamp: 'timestamp(6)',
};

/**
 * A statement of compaction as Trino takes it. What only Athena knows, which is DDL, OPTIMIZE and
 * VACUUM, is put in Trino's words for the same; superseded files go at once.
 *
 * @param compacted the compacted table as Trino names it.
 */
export function inTrinosWords(text: string, compacted: string): string[] {
  const created = /^CREATE TABLE IF NOT EXISTS \w+ \((.*)\) PARTITIONED BY/.exec(text);
  if (created !== null) {
    return [
      `CREATE TABLE IF NOT EXISTS ${compacted} (${inTrinosTypes(created[1])}) WITH (format = 'PARQUET', partitioning = ARRAY['bucket(source_id, 8)', 'day(event_time)'])`,
    ];
  }
  const optimized = /^OPTIMIZE \w+ REWRITE DATA USING BIN_PACK( WHERE .*)?$/.exec(text);
  if (optimized !== null) return [`ALTER TABLE ${compacted} EXECUTE optimize${optimized[1] ?? ''}`];
  // Trino has no such properties: it rewrites every file that has deleted rows.
  if (text.includes('SET TBLPROPERTIES')) return ['SELECT 1'];
  if (text.startsWith('VACUUM')) {
    return ['expire_snapshots', 'remove_orphan_files'].map(
      (name) => `ALTER TABLE ${compacted} EXECUTE ${name}(retention_threshold => '0s')`,
    );
  }
  return [text];
}

/** Columns of a definition: names that need no quotes, with types of Hive. */
function inTrinosTypes(columns = ''): string {
  return columns
    .split(', ')
    .map((column) => {
      const [, name, type] = /^(\w+) (\w+)$/.exec(column) ?? [];
      const words = TRINO_TYPES[type as LakeType];
      if (words === undefined) throw new Error(`${column} is no column of a definition`);
      return `"${name}" ${words}`;
    })
    .join(', ');
}
