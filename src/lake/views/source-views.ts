import type { SourceSchema } from '../../catalog/source-schema.ts';
import { quoteName, quoteText } from '../../platform/sql-text.ts';
import { selectedColumns } from './columns.ts';
import { EVENTS_VIEW, SOURCES_VIEW } from './names.ts';
import type { View } from './view.ts';

/** The events of one source, with its fields as columns. */
export function sourceView(name: string, token: string, schema: SourceSchema): View {
  return {
    name,
    query:
      `SELECT ${selectedColumns(schema).join(', ')}\nFROM ${quoteName(EVENTS_VIEW)}\n` +
      `WHERE source_id = ${quoteText(token)}`,
  };
}

export interface SourceEntry {
  readonly token: string;
  readonly name: string;
  readonly viewName: string;
}

/** All sources by id, name and view: what makes `source_id` readable. */
export function sourcesView(entries: readonly SourceEntry[]): View {
  const rows = entries.map(
    ({ token, name, viewName }) =>
      `(${[token, name, viewName].map((text) => `CAST(${quoteText(text)} AS varchar)`).join(', ')})`,
  );
  // VALUES needs a row; this one is filtered out again.
  const none = '(CAST(NULL AS varchar), CAST(NULL AS varchar), CAST(NULL AS varchar))';
  return {
    name: SOURCES_VIEW,
    query:
      `SELECT source_id, name, view_name\nFROM (VALUES ${[none, ...rows].join(',\n')})\n` +
      'AS t (source_id, name, view_name)\nWHERE source_id IS NOT NULL',
  };
}
