import type { AstSelectItem } from '../parse/ast.ts';
import type { Clause, FieldPath, Filter } from './clause.ts';
import { columnPath, pathText, TIMESTAMP } from './path.ts';
import type { Scanner } from './scanner.ts';
import { item, name } from './syntax.ts';
import type { Joins } from './unnest-joins.ts';

type Select = Extract<Clause, { kind: 'select' }>;

interface Column {
  readonly path: FieldPath;
  readonly alias: string | undefined;
}

/**
 * The columns of a query without chart (Logflare 1.50): those selected; with none or with `s:*`
 * the fields of the filters; with no filters either, the timestamp. In the order of their paths, each
 * once.
 *
 * @throws SqlError `lql_syntax` when two of them would have the same name.
 */
export function columnsOf(
  reader: Scanner,
  clauses: readonly Clause[],
  filters: readonly Filter[],
  joins: Joins,
): AstSelectItem[] {
  const selects = clauses.filter((clause): clause is Select => clause.kind === 'select');
  const isStar = clauses.some((clause) => clause.kind === 'select_star');
  const fields = filters.map(({ path }) => ({ path, alias: undefined }));
  const chosen: readonly Column[] =
    selects.length > 0 && !isStar
      ? selects.map(({ path, alias }) => ({ path, alias: alias?.text }))
      : fields.length > 0
        ? fields
        : [{ path: columnPath(TIMESTAMP, 0), alias: undefined }];
  const columns = once(chosen);
  const names = namesOf(reader, columns);
  return columns.map(({ path }, index) =>
    item(joins.value(path), name(names[index] ?? '', path.at)),
  );
}

function once(columns: readonly Column[]): Column[] {
  // A blank sorts before every character of a path, so that `a` comes before `a.b`.
  const key = ({ path, alias }: Column): string => `${pathText(path)} ${alias ?? ''}`;
  const unique = new Map(columns.map((column) => [key(column), column]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, column]) => column);
}

/** The alias, else the last name of the path; where two would be alike, the whole path with `_`. */
function namesOf(reader: Scanner, columns: readonly Column[]): string[] {
  const short = columns.map(({ path, alias }) => alias ?? path.parts.at(-1)?.text ?? '');
  const names = columns.map(({ path, alias }, index) => {
    const own = short[index] ?? '';
    const alike = short.filter((other) => other === own).length > 1;
    return alias === undefined && alike ? pathText(path).replaceAll('.', '_') : own;
  });
  const twin = names.findIndex((own, index) => names.indexOf(own) !== index);
  const column = columns[twin];
  if (column !== undefined) {
    throw reader.fail(
      `Two columns would be named ${names[twin]}: give one another alias, as in s:${pathText(column.path)}@other`,
      column.path.at,
    );
  }
  return names;
}
