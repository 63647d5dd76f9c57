import type {
  AstExpr,
  AstFrom,
  AstQuery,
  AstSelectItem,
  Name,
} from '../../../src/sql/parse/ast.ts';

/** Writes a tree as SQL, so that tests can say what LQL means. Only what LQL makes is known. */
export function render(query: AstQuery): string {
  const { body, orderBy } = query;
  if (body.kind !== 'select') throw new Error(`LQL never makes a ${body.kind}`);
  const where = body.where === undefined ? '' : ` WHERE ${expr(body.where)}`;
  const keys = body.groupBy === 'all' ? ['ALL'] : body.groupBy.map(expr);
  const groupBy = keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`;
  const order = orderBy.map((key) => `${expr(key.expr)}${key.descending ? ' DESC' : ''}`);
  const ordered = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  const from = body.from === undefined ? '' : ` FROM ${relation(body.from)}`;
  return `SELECT ${body.items.map(item).join(', ')}${from}${where}${groupBy}${ordered}`;
}

/** The condition of WHERE alone. */
export function renderWhere(query: AstQuery): string {
  const { body } = query;
  return body.kind === 'select' && body.where !== undefined ? expr(body.where) : '';
}

function item(selected: AstSelectItem): string {
  if (selected.kind === 'star') throw new Error('LQL never selects *');
  const { alias } = selected;
  const own = selected.expr.kind === 'path' ? selected.expr.parts.at(-1)?.text : undefined;
  const as = alias === undefined || alias.text === own ? '' : ` AS ${name(alias)}`;
  return `${expr(selected.expr)}${as}`;
}

function name({ text }: Name): string {
  return /^\w+$/.test(text) ? text : `\`${text}\``;
}

function relation(from: AstFrom): string {
  switch (from.kind) {
    case 'table':
      return from.parts.map(name).join('.');
    case 'unnest':
      return `UNNEST(${expr(from.expr)})${from.alias === undefined ? '' : ` ${name(from.alias)}`}`;
    case 'join':
      return `${relation(from.left)} ${from.join.toUpperCase()} JOIN ${relation(from.right)}`;
    case 'derived':
      return `(${render(from.query)})`;
  }
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function expr(ast: AstExpr): string {
  switch (ast.kind) {
    case 'int':
    case 'float':
      return ast.value;
    case 'string':
      return text(ast.value);
    case 'bool':
      return ast.value ? 'TRUE' : 'FALSE';
    case 'typed_literal':
      return `${ast.type} ${text(ast.value)}`;
    case 'negate':
      return `-${expr(ast.expr)}`;
    case 'path':
      return ast.parts.map(name).join('.');
    case 'call':
      return `${ast.name.toUpperCase()}(${ast.distinct ? 'DISTINCT ' : ''}${ast.args.map(expr).join(', ')})`;
    case 'cast':
      return `${ast.safe ? 'SAFE_' : ''}CAST(${expr(ast.expr)} AS ${ast.type.name})`;
    case 'subscript':
      return `${expr(ast.base)}[${ast.mode.toUpperCase()}(${expr(ast.index)})]`;
    case 'binary':
      return `${expr(ast.left)} ${ast.op} ${expr(ast.right)}`;
    case 'between':
      return `${expr(ast.expr)} BETWEEN ${expr(ast.low)} AND ${expr(ast.high)}`;
    case 'in_list':
      return `${expr(ast.expr)} IN (${ast.items.map(expr).join(', ')})`;
    case 'is':
      return `(${expr(ast.expr)}) IS ${ast.negated ? 'NOT ' : ''}${ast.what.toUpperCase()}`;
    case 'not':
      return `NOT ${expr(ast.expr)}`;
    case 'exists':
      return `EXISTS(${render(ast.query)})`;
    case 'and':
      return ast.items.map(expr).join(' AND ');
    default:
      throw new Error(`LQL never makes ${ast.kind}`);
  }
}
