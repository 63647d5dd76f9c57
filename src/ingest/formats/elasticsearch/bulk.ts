/** Bulk bodies: a line that says what to do, and but for `delete` a line with the document. */
import { ServiceError } from '../../../platform/errors.ts';
import { isPlainObject } from '../../../platform/json/json.ts';
import type { JsonLine } from '../../decode/json-lines.ts';
import { EventRejected } from '../../event/rejected-event.ts';

/** One action with its document. */
export interface BulkItem {
  /** `index`, `create`, `update` or `delete`. */
  readonly action: string;
  readonly index?: string | undefined;
  readonly id?: string | undefined;
  /** Any JSON, or text that is none; why not, where nothing is stored. */
  readonly document: unknown;
}

const ACTIONS = ['index', 'create', 'update', 'delete'];

/** Elasticsearch's own limits on names of indices and on ids, in bytes. */
const MAX_INDEX_LENGTH = 255;
const MAX_ID_LENGTH = 512;

/** @throws ServiceError `malformed_bulk` (400) where a line that says what to do does not. */
export function bulkItems(lines: Iterable<JsonLine>): readonly BulkItem[] {
  const items: BulkItem[] = [];
  let action: Omit<BulkItem, 'document'> | undefined;
  for (const { text, value } of lines) {
    if (action === undefined) {
      action = actionOf(value);
      if (action.action !== 'delete') continue;
    }
    items.push({ ...action, document: documentOf(action, value ?? text) });
    action = undefined;
  }
  if (action !== undefined) throw malformed('the last action has no document');
  return items;
}

function actionOf(line: unknown): Omit<BulkItem, 'document'> {
  const [[action, target] = []] = isPlainObject(line) ? Object.entries(line) : [];
  if (action === undefined || !ACTIONS.includes(action) || !isPlainObject(target)) {
    throw malformed('a line that should say what to do is not {"index": {}} or {"create": {}}');
  }
  const { _index: index, _id: id } = target;
  return {
    action,
    index: isName(index, MAX_INDEX_LENGTH) ? index : undefined,
    id: isName(id, MAX_ID_LENGTH) ? id : undefined,
  };
}

function documentOf({ action }: Omit<BulkItem, 'document'>, document: unknown): unknown {
  return action === 'index' || action === 'create'
    ? document
    : new EventRejected(`events are only ever added; "${action}" is not possible`);
}

function isName(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength;
}

function malformed(problem: string): ServiceError {
  return new ServiceError(
    'malformed_bulk',
    400,
    `The body is no bulk request of Elasticsearch: ${problem}.`,
  );
}

/** Indices of a day or a month: `web-2025.06.01`. */
const DATE = /-\d{4}\.\d\d(?:\.\d\d)?$/;

/** The source for an index. */
export function sourceNameOf(index: string): string {
  return index.replace(DATE, '');
}
