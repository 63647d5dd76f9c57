import { slotColumn } from '../../../lake/layout/columns.ts';
import { JsonType, LIST_ELEMENT, type SchemaNode } from '../../../lake/schema/schema.ts';

const SCALARS = [
  { bit: JsonType.string, json: 'string', dotted: 'string' },
  { bit: JsonType.int, json: 'number', dotted: 'integer' },
  { bit: JsonType.float, json: 'number', dotted: 'float' },
  { bit: JsonType.bool, json: 'boolean', dotted: 'boolean' },
] as const;

/**
 * An inferred schema as a JSON Schema 2020-12 document, in the form that Logflare gives it. Beyond that
 * `x-columns` names the columns of the lake that hold the values at a path, by their JSON type.
 */
export function jsonSchema(source: { token: string; name: string }, root: SchemaNode): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/api/sources/${source.token}/schema`,
    title: source.name,
    type: 'object',
    // Every event has these three, whatever else was learned.
    properties: {
      ...properties(root),
      id: { type: 'string' },
      timestamp: { type: 'number' },
      event_message: { type: 'string' },
    },
  };
}

/**
 * An inferred schema as a flat map: `{"a.b": "string", "list": "string[]"}`. Records have no entry of
 * their own, fields of records in a list count as fields of the list, and a path that has shown
 * several types lists them with `|`.
 */
export function dottedSchema(root: SchemaNode): object {
  const types = new Map<string, Set<string>>();
  const visit = (node: SchemaNode, path: string, brackets: string): void => {
    const known = types.get(path) ?? new Set();
    for (const { bit, dotted } of SCALARS) {
      if ((node.mask & bit) !== 0) known.add(dotted + brackets);
    }
    if (known.size > 0) types.set(path, known);
    for (const [key, child] of node.children) {
      if (key === LIST_ELEMENT) visit(child, path, `${brackets}[]`);
      else visit(child, path === '' ? key : `${path}.${key}`, '');
    }
  };
  visit(root, '', '');
  const entries = [...types].map(([path, set]) => [path, [...set].join('|')]);
  return {
    ...Object.fromEntries(entries),
    id: 'string',
    timestamp: 'datetime',
    event_message: 'string',
  };
}

/**
 * The columns of the lake by dotted path and JSON type: `{"metadata.level": {"string": "s004"}}`. A path
 * without is read from the JSON.
 */
export function columnsByPath(root: SchemaNode): object {
  const columns: [path: string, columns: object][] = [];
  const visit = ({ children }: SchemaNode, prefix: string): void => {
    for (const [key, child] of children) {
      const path = prefix + key;
      const own = columnsOf(child);
      if (Object.keys(own).length > 0) columns.push([path, own]);
      visit(child, `${path}.`);
    }
  };
  visit(root, '');
  return Object.fromEntries(columns);
}

function columnsOf({ slots = {} }: SchemaNode): Record<string, string> {
  return Object.fromEntries(Object.entries(slots).map(([type, slot]) => [type, slotColumn(slot)]));
}

function properties(node: SchemaNode): Record<string, object> {
  const named = [...node.children].filter(([key]) => key !== LIST_ELEMENT);
  return Object.fromEntries(named.map(([key, child]) => [key, describe(child)]));
}

function describe(node: SchemaNode): object {
  const types = new Set<string>();
  for (const { bit, json } of SCALARS) if ((node.mask & bit) !== 0) types.add(json);
  const element = node.children.get(LIST_ELEMENT);
  const isList = (node.mask & JsonType.list) !== 0 || element !== undefined;
  const fields = properties(node);
  const isObject = (node.mask & JsonType.object) !== 0 || Object.keys(fields).length > 0;
  if (isObject) types.add('object');
  if (isList) types.add('array');
  const [first, ...others] = types;
  const columns = columnsOf(node);
  return {
    ...(first === undefined ? {} : { type: others.length === 0 ? first : [first, ...others] }),
    ...(isObject ? { properties: fields } : {}),
    ...(element === undefined ? {} : { items: describe(element) }),
    ...(Object.keys(columns).length === 0 ? {} : { 'x-columns': columns }),
  };
}
