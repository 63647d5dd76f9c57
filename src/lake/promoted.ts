/** Copies the hot paths of an event into columns of their own. */
import { isPlainObject, isPlainString, isRawNumber } from '../json.ts';
import type { PromotedColumn } from './columns.ts';
import { fitsInt64 } from './learned.ts';

/** The promoted columns at and below one path, so that an event is descended once for all. */
export interface PromotionNode {
  readonly key: string;
  /** Row text of the columns that say that this path holds an object. */
  objectText: string;
  readonly values: PromotedValue[];
  readonly children: PromotionNode[];
}

/** A column that takes the value at a path. */
export interface PromotedValue {
  readonly key: string;
  /** Row text up to the value: `,"name":`. */
  readonly prefix: string;
  /** The same up to the first character of a string. */
  readonly quotedPrefix: string;
  /** The same after a string whose closing quote is not written yet. */
  readonly quotedPrefixAfterText: string;
  readonly type: PromotedColumn['type'];
}

/** The tree of all paths; its root stands for the event. */
export function promotionTree(columns: readonly PromotedColumn[]): PromotionNode {
  const root = emptyNode('');
  for (const { name, type, path, holds } of columns) {
    if (holds === 'object') {
      path.reduce(childOf, root).objectText += `,"${name}":true`;
    } else {
      const parent = path.slice(0, -1).reduce(childOf, root);
      const prefix = `,"${name}":`;
      parent.values.push({
        key: path.at(-1) ?? '',
        prefix,
        quotedPrefix: `${prefix}"`,
        quotedPrefixAfterText: `"${prefix}"`,
        type,
      });
    }
  }
  return root;
}

/** The node of a path's first part. */
export function promotionsAt(root: PromotionNode, field: string): PromotionNode {
  return root.children.find(({ key }) => key === field) ?? emptyNode(field);
}

/** Row text (`,"column":value` ...) of the columns that the value at a node's path fills. */
export function promotedText(node: PromotionNode, value: unknown): string {
  if (!isPlainObject(value)) {
    return '';
  }
  let text = node.objectText;
  for (const column of node.values) {
    const field = value[column.key];
    if (field !== undefined) {
      text += columnText(column, field);
    }
  }
  for (const child of node.children) {
    const field = value[child.key];
    if (field !== undefined) {
      text += promotedText(child, field);
    }
  }
  return text;
}

/** A number written as text, short enough to fit INT64 for certain, and valid as a JSON number. */
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d{0,17})$/;

/**
 * Row text of a column. Scalars that can be said in the column's type are, so that one client that
 * sends a status code as text reads like the others; what cannot is left out, because a misfit costs
 * the whole packed record at Firehose.
 */
export function columnText({ type, prefix, quotedPrefix }: PromotedValue, value: unknown): string {
  switch (type) {
    case 'string':
      if (typeof value === 'string') {
        return isPlainString(value) ? `${quotedPrefix}${value}"` : prefix + JSON.stringify(value);
      }
      if (typeof value === 'number' || typeof value === 'boolean') {
        return `${quotedPrefix}${value}"`;
      }
      return isRawNumber(value) ? `${quotedPrefix}${value.rawJSON}"` : '';
    case 'bigint':
      if (isRawNumber(value)) {
        return fitsInt64(value.rawJSON) ? prefix + value.rawJSON : '';
      }
      if (typeof value === 'string') {
        return WHOLE_NUMBER.test(value) ? `${prefix}${value}` : '';
      }
      return Number.isSafeInteger(value) ? `${prefix}${value}` : '';
    case 'double':
      if (isRawNumber(value)) {
        return prefix + value.rawJSON;
      }
      return typeof value === 'number' ? `${prefix}${value}` : '';
    case 'boolean':
      return typeof value === 'boolean' ? `${prefix}${value}` : '';
    case 'timestamp':
      return '';
  }
}

function childOf(parent: PromotionNode, key: string): PromotionNode {
  const known = parent.children.find((child) => child.key === key);
  if (known !== undefined) {
    return known;
  }
  const child = emptyNode(key);
  parent.children.push(child);
  return child;
}

function emptyNode(key: string): PromotionNode {
  return { key, objectText: '', values: [], children: [] };
}
