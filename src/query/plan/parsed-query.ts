import type { Endpoint, ParameterDeclaration, ParsedQuery } from '../../catalog/types.ts';
import type { QueryDescription } from '../../sql/describe.ts';
import { withImplied } from '../parameters/parameters.ts';
import { inheritedParameters } from './endpoint-references.ts';

/** Bytes of JSON. It is kept beside the query in one item of DynamoDB, which takes 400 KB. */
const MAX_BYTES = 65_536;

/**
 * The parsed form of a query that is about to be saved. What is beyond {@link MAX_BYTES} is left out.
 *
 * @param composed the endpoints that it reads, at any depth.
 * @param used names of the `@parameters` of its text and theirs.
 */
export function parsedQuery(
  declared: readonly ParameterDeclaration[],
  composed: readonly Endpoint[],
  used: readonly string[],
  description: QueryDescription,
): ParsedQuery {
  const room = new Room(MAX_BYTES);
  const parameters = ownFirst(declared, withImplied(inheritedParameters(declared, composed), used));
  const parsed = {
    parameters: room.take(parameters),
    sources: room.take(description.sources.map(({ name, id }) => ({ name, token: id }))),
    endpoints: room.take(composed.map(({ name, token }) => ({ name, token }))),
    columns: room.take(description.columns),
    tables: room.take(description.tables.map(({ name }) => ({ name }))).map(({ name }, index) => ({
      name,
      columns: room.take(description.tables[index]?.columns ?? []),
    })),
  };
  return { ...parsed, truncated: room.isFull };
}

function ownFirst(
  declared: readonly ParameterDeclaration[],
  all: readonly ParameterDeclaration[],
): readonly ParameterDeclaration[] {
  return [...declared, ...all.filter((parameter) => !declared.includes(parameter))];
}

/** Space for lists, which are cut where it ends. */
class Room {
  #left: number;
  isFull = false;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take<T>(items: readonly T[]): readonly T[] {
    const fitting: T[] = [];
    for (const item of items) {
      this.#left -= Buffer.byteLength(JSON.stringify(item)) + 1;
      this.isFull ||= this.#left < 0;
      if (this.isFull) break;
      fitting.push(item);
    }
    return fitting;
  }
}
