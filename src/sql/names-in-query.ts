import { tokenize } from './parse/lexer.ts';
import { parse } from './parse/parse.ts';

/**
 * Names of the `@parameters` of a text, in order of first appearance. Strings and comments do not
 * count.
 *
 * @throws SqlError when the text does not parse.
 */
export function parameterNames(sql: string): string[] {
  parse(sql);
  const names = tokenize(sql)
    .filter((token) => token.kind === 'param')
    .map((token) => token.value);
  return [...new Set(names)];
}

/**
 * Every table name in FROM, at any depth, whether it turns out to be a source, a CTE or nothing: what
 * a caller must look up before it can compile the text.
 *
 * @throws SqlError when the text does not parse.
 */
export function tableNames(sql: string): string[] {
  const names = new Set<string>();
  collect(parse(sql), names);
  return [...names];
}

/**
 * Table names of a text that no CTE in it has: what can only be a source or another endpoint.
 *
 * @throws SqlError when the text does not parse.
 */
export function freeNames(sql: string): string[] {
  const ctes = new Set<string>();
  collectCtes(parse(sql), ctes);
  return tableNames(sql).filter((name) => !ctes.has(name));
}

function collectCtes(node: unknown, names: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  if ('kind' in node && node.kind === 'query' && 'ctes' in node) {
    for (const { name } of node.ctes as readonly { readonly name: { readonly text: string } }[]) {
      names.add(name.text);
    }
  }
  for (const child of Object.values(node)) collectCtes(child, names);
}

function collect(node: unknown, names: Set<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, names);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if ('kind' in node && node.kind === 'table' && 'parts' in node) {
    const parts = node.parts as readonly { readonly text: string }[];
    names.add(parts.map((part) => part.text).join('.'));
    return;
  }
  for (const child of Object.values(node)) collect(child, names);
}
