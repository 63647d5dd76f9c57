import type { SqlTarget } from '../common/result-schema.ts';
import type { SqlType } from '../ir/types.ts';
import { readText } from './read-text.ts';
import { readTime } from './read-time.ts';

/**
 * A CAST of a text, printed; undefined for types that no text says.
 *
 * @param safe NULL for what cannot be read; else that is an error.
 */
export function castText(
  target: SqlTarget,
  text: string,
  { kind }: SqlType,
  safe: boolean,
): string | undefined {
  switch (kind) {
    case 'int64':
    case 'float64':
    case 'bool':
      return readText(target, text, kind, safe ? 'safe' : 'strict');
    case 'timestamp':
    case 'datetime':
    case 'date':
      return readTime(target, text, kind, safe);
    default:
      return undefined;
  }
}
