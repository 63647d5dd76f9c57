/** Copies the hot paths of an event into columns of their own. */
import { isPlainObject, isPlainString, isRawNumber } from '../json.ts';
import { PROMOTED_COLUMNS, type PromotedColumn } from './columns.ts';
import { fitsInt64 } from './learned.ts';

/** Where events hold what is promoted. */
export interface Promotions {
  readonly event: PromotionNode;
  readonly metadata: PromotionNode;
}

/** @param added columns of the fields that the deployment itself promotes. */
export function promotionsWith(added: readonly PromotedColumn[]): Promotions {
  const event = promotionTree([...PROMOTED_COLUMNS, ...added]);
  return { event, metadata: promotionsAt(event, 'metadata') };
}

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

/** Texts that the compiler takes for numbers, leading zeros apart (`read-text.ts`, the readings of JSON). */
const WHOLE = /^[ \t-\r]*([+-]?)0*(\d{1,19})[ \t-\r]*$/;
const DECIMAL = /^[ \t-\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t-\r]*$/;

/**
 * Row text of a column. It holds what reading its path as its type gives, so that queries may read
 * either: a status code that was sent as text is a number here too. What cannot be said in the type is
 * left out, because a misfit costs the whole packed record at Firehose.
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
        return wholeText(prefix, value);
      }
      return Number.isSafeInteger(value) ? `${prefix}${value}` : '';
    case 'double':
      if (isRawNumber(value)) {
        return prefix + value.rawJSON;
      }
      if (typeof value === 'string') {
        return decimalText(prefix, value);
      }
      return typeof value === 'number' ? `${prefix}${value}` : '';
    case 'boolean':
      if (typeof value === 'string') {
        const text = value.length <= 5 ? value.toLowerCase() : '';
        return text === 'true' || text === 'false' ? prefix + text : '';
      }
      return typeof value === 'boolean' ? `${prefix}${value}` : '';
    case 'timestamp':
      return '';
  }
}

function wholeText(prefix: string, text: string): string {
  const [, sign, digits] = WHOLE.exec(text) ?? [];
  if (digits === undefined) {
    return '';
  }
  const whole = `${sign === '-' && digits !== '0' ? '-' : ''}${digits}`;
  return fitsInt64(whole) ? prefix + whole : '';
}

function decimalText(prefix: string, text: string): string {
  const value = DECIMAL.test(text) ? Number(text.trim()) : Number.NaN;
  return Number.isFinite(value) ? `${prefix}${value}` : '';
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
