import type * as z from 'zod/mini';
import { ServiceError } from '../errors.ts';
import type { Item } from './registry-table.ts';

/**
 * Reads a stored item.
 *
 * @param what how an operator finds the item, such as `source <token>`; never a key's hash.
 * @throws ServiceError `registry_corrupt` (500) naming the item and the attributes at fault.
 */
export function decodeItem<T extends z.ZodMiniType>(
  codec: T,
  item: Item,
  what: string,
): z.output<T> {
  const result = codec.safeParse(item);
  if (result.success) return result.data;
  throw corrupt(
    what,
    result.error.issues.map((issue) => issue.path.join('.')),
  );
}

export function corrupt(what: string, attributes: readonly string[]): ServiceError {
  const list = [...new Set(attributes)].join(', ');
  return new ServiceError(
    'registry_corrupt',
    500,
    `The stored ${what} cannot be read (attributes at fault: ${list}). Delete it, or restore it from a backup.`,
  );
}
