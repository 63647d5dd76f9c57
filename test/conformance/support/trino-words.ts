import { COMPACTED_COLUMNS, type LakeType } from '../../../src/lake/columns.ts';

const TRINO_TYPES: Readonly<Record<LakeType, string>> = {
  string: 'varchar',
  bigint: 'bigint',
  double: 'double',
  boolean: 'boolean',
  timestamp: 'timestamp(6)',
};

/**
 * A statement of compaction as Trino takes it. What only Athena knows, which is DDL, OPTIMIZE and
 * VACUUM, is put in Trino's words for the same; superseded files go at once.
 *
 * @param compacted the compacted table as Trino names it.
 */
export function inTrinosWords(text: string, compacted: string): string[] {
  if (text.startsWith('CREATE TABLE')) {
    const columns = COMPACTED_COLUMNS.map(({ name, type }) => `"${name}" ${TRINO_TYPES[type]}`);
    return [
      `CREATE TABLE IF NOT EXISTS ${compacted} (${columns.join(', ')}) WITH (format = 'PARQUET', partitioning = ARRAY['bucket(source_id, 8)', 'day("timestamp")'])`,
    ];
  }
  const optimized = /^OPTIMIZE \w+ REWRITE DATA USING BIN_PACK (WHERE .*)$/.exec(text);
  if (optimized !== null) {
    return [`ALTER TABLE ${compacted} EXECUTE optimize ${optimized[1]}`];
  }
  // Trino has no such properties: it rewrites every file that has deleted rows.
  if (text.includes('SET TBLPROPERTIES')) return ['SELECT 1'];
  if (text.startsWith('VACUUM')) {
    return ['expire_snapshots', 'remove_orphan_files'].map(
      (name) => `ALTER TABLE ${compacted} EXECUTE ${name}(retention_threshold => '0s')`,
    );
  }
  return [text];
}
