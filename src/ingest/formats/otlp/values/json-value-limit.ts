import type { Fields } from '../../../../platform/json/fields.ts';
import { isRawNumber, MAX_JSON_DEPTH, nestingTooDeep } from '../../../../platform/json/json.ts';
import { MAX_REQUEST_VALUES, tooManyValues } from './value-limits.ts';

/** OTLP/JSON wraps a value in four objects and lists for each level that it nests. */
const MAX_LEVELS = 5 * MAX_JSON_DEPTH;

/**
 * Counts what a body would become, and turns integers too long for a double into text, which is how
 * protobuf's JSON writes them. Changes the value, which is fresh from the parser, and returns it.
 *
 * @throws ServiceError `too_many_values` (413), `nesting_too_deep` (400).
 */
export function prepareJson(json: unknown): unknown {
  if (isRawNumber(json)) return json.rawJSON;
  let parts = 0;

  function walk(value: object, levels: number): void {
    if (levels === 0) throw nestingTooDeep();
    for (const key in value) {
      const member = (value as Fields)[key];
      const isList = Array.isArray(value);
      if (isRawNumber(member)) {
        (value as Fields)[key] = member.rawJSON;
      } else if (typeof member === 'object' && member !== null) {
        walk(member, levels - 1);
      } else if (!isList) {
        continue;
      }
      parts++;
      if (parts > MAX_REQUEST_VALUES) throw tooManyValues();
    }
  }

  if (typeof json === 'object' && json !== null) walk(json, MAX_LEVELS);
  return json;
}
