import { COMPACTED_TABLE } from '../../../src/lake/layout/columns.ts';
import { inTrinosWords } from '../../conformance/support/trino-words.ts';

/** Where Trino has a database's Iceberg tables; Hive tables are in the catalog of its sessions. */
export function icebergSchema(database: string): string {
  return `iceberg."${database}"`;
}

/**
 * Statements of Trino that do what one of Athena does. Athena finds tables of both kinds in one
 * catalog, where Trino has a catalog for each.
 */
export function onTrino(text: string, database: string): string[] {
  const compacted = `${icebergSchema(database)}."${COMPACTED_TABLE}"`;
  return inTrinosWords(text.replaceAll(`"${COMPACTED_TABLE}"`, compacted), compacted);
}
