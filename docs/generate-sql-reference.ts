/** Writes the reference of functions into docs/sql.md: `node docs/generate-sql-reference.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withReference } from '../src/sql/functions/reference-markdown.ts';
import { REFERENCE_GROUPS } from '../src/sql/functions/table.ts';

const file = new URL('./sql.md', import.meta.url);
writeFileSync(file, withReference(readFileSync(file, 'utf8'), REFERENCE_GROUPS));
