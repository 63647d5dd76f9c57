import { isPlainObject, scalarText } from '../../platform/json/json.ts';

/**
 * The project of an event, which is the column `project`, what queries and LQL mean by the name, and what
 * tables are filtered by: the field `project`, else `metadata.project`, else `metadata.project_ref`. A
 * number or boolean counts as its text; what is empty, an object or a list is passed over.
 *
 * @param own the event's field `project`.
 */
export function projectOf(own: unknown, metadata: unknown): string | undefined {
  const text = filledText(own);
  if (text !== undefined || !isPlainObject(metadata)) return text;
  return filledText(metadata.project) ?? filledText(metadata.project_ref);
}

function filledText(value: unknown): string | undefined {
  return value === '' ? undefined : scalarText(value);
}
