/**
 * Rebuilds an object with its values mapped. `Object.fromEntries` defines properties instead of
 * assigning them, so a key called `__proto__` stays a key.
 */
export function mapValues(
  object: Readonly<Record<string, unknown>>,
  map: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
