/** Fields that a deployment promotes itself, beside those that every deployment does. */
import { type LakeType, PROMOTED_COLUMNS, type PromotedColumn } from './columns.ts';

/** Names of BigQuery's types, which is what queries see. */
export const FIELD_TYPES = ['STRING', 'INT64', 'FLOAT64', 'BOOL'] as const;

export interface PromotedField {
  /** Path inside the event as queries spell it, `metadata.tenant.id`; never through a list. */
  readonly path: string;
  readonly type: (typeof FIELD_TYPES)[number];
}

/** Fields that one deployment may promote; each is looked for in every event. */
export const MAX_FIELDS = 50;

/** Characters of all fields as text: a Lambda function's variables have 4 KB together. */
export const MAX_FIELDS_LENGTH = 2_000;

/** What keys become (`rename.ts`). */
const STORED_NAME = /^[A-Za-z_]\w{0,128}$/;

/** Depth of a path; deeper ones are learned by no schema either (`learned.ts`). */
const MAX_PARTS = 20;

const LAKE_TYPES: Readonly<Record<PromotedField['type'], Exclude<LakeType, 'timestamp'>>> = {
  STRING: 'string',
  INT64: 'bigint',
  FLOAT64: 'double',
  BOOL: 'boolean',
};

/** Top-level fields that have columns of their own, or are told apart by what they hold. */
const OWN_COLUMNS: ReadonlySet<string> = new Set([
  'id',
  'timestamp',
  'event_message',
  'message',
  'metadata',
  'project',
]);

/**
 * The columns of fields, and of the objects on the way to them: a query that walks there asks whether
 * there is an object, and would read the JSON for that alone. A name says path and type, so that a
 * column that exists never changes its type: files that hold the old one could not be read any more.
 *
 * @param fields without a {@link fieldFaults fault}.
 */
export function promotedColumns(fields: readonly PromotedField[]): PromotedColumn[] {
  const values = fields.map(
    ({ path, type }): PromotedColumn => ({
      name: columnName(path, type),
      type: LAKE_TYPES[type],
      path: path.split('.'),
      holds: 'value',
      comment: `copy of ${path}`,
    }),
  );
  return [...values, ...[...new Set(fields.flatMap(parentsOf))].map(objectColumn)];
}

/** Paths of the objects around a field, as far as no column says already where they are. */
function parentsOf({ path }: PromotedField): string[] {
  const parts = path.split('.');
  return parts
    .map((_, index) => parts.slice(0, index).join('.'))
    .filter((parent) => parent !== '' && shippedAt(parent) === undefined);
}

function objectColumn(path: string): PromotedColumn {
  const comment = `true where ${path} is an object`;
  const name = columnName(path, 'object');
  return { name, type: 'boolean', path: path.split('.'), holds: 'object', comment };
}

function shippedAt(path: string): PromotedColumn | undefined {
  return PROMOTED_COLUMNS.find((column) => column.path.join('.') === path);
}

/** Whether the name is one that {@link promotedColumns} gives: what it holds is in the JSON too. */
export function isAddedColumn(name: string): boolean {
  return /^(?:metadata|body)_/.test(name);
}

/** What is wrong with each field; nothing where all may be promoted together. */
export function fieldFaults(fields: readonly PromotedField[]): { index: number; fault: string }[] {
  const names = new Map<string, string>();
  const faults = fields.flatMap((field, index) => {
    const { path } = field;
    const fault = shippedFault(path) ?? pathFault(path) ?? nameFault(field, names);
    return fault === undefined ? [] : [{ index, fault }];
  });
  const index = fields.length - 1;
  if (fields.length > MAX_FIELDS) {
    faults.push({
      index,
      fault: `is one of ${fields.length} fields; ${MAX_FIELDS} may be promoted`,
    });
  }
  if (formatFields(fields).length > MAX_FIELDS_LENGTH) {
    const fault = `ends a list of more than ${MAX_FIELDS_LENGTH} characters`;
    faults.push({ index, fault });
  }
  return faults;
}

/** Fields as one line of text: `metadata.tenant,metadata.size:INT64`. */
export function formatFields(fields: readonly PromotedField[]): string {
  return fields.map(({ path, type }) => (type === 'STRING' ? path : `${path}:${type}`)).join(',');
}

/**
 * Reads what {@link formatFields} writes, with blanks around the fields.
 *
 * @throws Error with a sentence for whoever wrote the text.
 */
export function parseFields(text: string): PromotedField[] {
  const fields = readFields(text);
  const [first] = fieldFaults(fields);
  if (first !== undefined) {
    throw new Error(`${fields[first.index]?.path} ${first.fault}`);
  }
  return fields;
}

/** Reads fields that were promoted once: a release of today may refuse them, as it promotes them itself. */
export function readFields(text: string): PromotedField[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '').map(parseField);
}

function parseField(item: string): PromotedField {
  const [path = '', name = 'STRING', ...others] = item.split(':');
  const type = FIELD_TYPES.find((known) => known === name);
  if (type === undefined || others.length > 0) {
    throw new Error(`${item} must be a path, or a path and one of ${FIELD_TYPES.join(', ')}`);
  }
  return { path, type };
}

function columnName(path: string, type: PromotedField['type'] | 'object'): string {
  const name = path.startsWith('metadata.') ? path : `body.${path}`;
  const suffix = type === 'STRING' ? '' : `_${type}`;
  // Glue and Firehose know lower case alone.
  return `${name.replaceAll('.', '_')}${suffix}`.toLowerCase();
}

function pathFault(path: string): string | undefined {
  const parts = path.split('.');
  const [first = ''] = parts;
  if (parts.some((part) => !STORED_NAME.test(part))) {
    return 'must be names as they are stored, of letters, digits and _, with dots between them';
  }
  if (parts.length > MAX_PARTS) return `has more than ${MAX_PARTS} parts`;
  return OWN_COLUMNS.has(first) && (first !== 'metadata' || parts.length === 1)
    ? `begins with ${first}, which has a column of its own`
    : undefined;
}

function shippedFault(path: string): string | undefined {
  const shipped = shippedAt(path);
  if (shipped === undefined) return undefined;
  return shipped.holds === 'value'
    ? `is promoted already, as the column ${shipped.name}`
    : 'is an object, and only values can be promoted';
}

/** @param names those taken so far, with their paths; gets the field's own. */
function nameFault(field: PromotedField, names: Map<string, string>): string | undefined {
  for (const { name, path, holds } of promotedColumns([field])) {
    const full = path.join('.');
    const taken = names.get(name);
    // Fields may lie in one object, which is one column then.
    if (taken !== undefined && (taken !== full || holds === 'value')) {
      return `and ${taken} would share the column ${name}`;
    }
    names.set(name, full);
    if (PROMOTED_COLUMNS.some((column) => column.name === name)) {
      return `would take the name of the column ${name}`;
    }
  }
  return undefined;
}
