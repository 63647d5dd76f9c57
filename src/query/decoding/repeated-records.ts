import { isPlainObject } from '../../platform/json/json.ts';
import { mapValues } from './map-values.ts';

/**
 * Renders every object as an array of one, which is how BigQuery returns the repeated records that
 * Logflare stores objects in. A list of objects is one repeated record already: its elements are not
 * wrapped again, only what lies inside them.
 */
export function asRepeatedRecords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(insideRecord);
  return isPlainObject(value) ? [mapValues(value, asRepeatedRecords)] : value;
}

function insideRecord(element: unknown): unknown {
  return isPlainObject(element)
    ? mapValues(element, asRepeatedRecords)
    : asRepeatedRecords(element);
}
