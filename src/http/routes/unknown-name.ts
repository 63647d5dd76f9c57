import { ServiceError } from '../../platform/errors.ts';
import { nearestFew } from '../../platform/nearest.ts';

/** What a request named, and how. */
export interface Named {
  readonly by: 'name' | 'token';
  readonly value: string;
}

/** Names that a message lists. */
const MOST = 3;

/** Characters of a name that a message repeats; no name has more. */
const MAX_SHOWN = 255;

/**
 * The answer for a key that may see everything, where others get 401: what it named does not exist.
 * UUIDs have no neighbours: one that is nearly right is still another's.
 *
 * @param what such as `source`.
 * @param list where those that exist are listed.
 * @param names of those that exist.
 */
export async function unknownName(
  what: string,
  { by, value }: Named,
  { list, names }: { readonly list: string; names(): Promise<readonly string[]> },
): Promise<ServiceError> {
  const near = by === 'name' ? nearestFew(value, (await names()).toSorted(), MOST) : [];
  const advice =
    near.length === 0 ? `GET ${list} lists those that exist.` : `Did you mean ${or(near)}?`;
  const shown = value.slice(0, MAX_SHOWN);
  return new ServiceError(
    'not_found',
    404,
    `There is no ${what} with the ${by} "${shown}". ${advice}`,
  );
}

/** `"a", "b" or "c"`. */
function or(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
