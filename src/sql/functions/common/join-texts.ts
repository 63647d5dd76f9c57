/**
 * The texts of a list in one for DuckDB, printed; NULL where the list has none. Its ARRAY_TO_STRING is a
 * macro that says the list twice.
 *
 * @param separator A printed constant.
 */
export function joinTexts(list: string, separator: string): string {
  return `LIST_AGGREGATE(${list}, 'string_agg', ${separator})`;
}
