import { quoteName } from '../../platform/sql-text.ts';

/** A view of the lake for people: what `CREATE VIEW <name> AS <query>` needs. */
export interface View {
  /** Lower-case letters, digits and underscores, a letter first. */
  readonly name: string;
  /** A SELECT in Athena's dialect, over tables and views of the lake's database. */
  readonly query: string;
}

/** Puts a view into place, whether or not it is there already; readers never find it missing. */
export function replaceStatement({ name, query }: View): string {
  return `CREATE OR REPLACE VIEW ${quoteName(name)} AS\n${query}`;
}

/** Takes a view away; fine when it is not there, and refused by the engine when it is a table. */
export function dropStatement(name: string): string {
  return `DROP VIEW IF EXISTS ${quoteName(name)}`;
}
