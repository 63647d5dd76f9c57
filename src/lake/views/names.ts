import { COMPACTED_TABLE, LANDING_TABLE } from '../layout/columns.ts';

/** The view over the whole lake. */
export const EVENTS_VIEW = 'events';

/** The view that says which view is which source. */
export const SOURCES_VIEW = 'sources';

/** Names of the lake's database that no source gets. */
const RESERVED = [LANDING_TABLE, COMPACTED_TABLE, EVENTS_VIEW, SOURCES_VIEW, 'failed_events'];

/** Glue takes names of up to 255 characters; the rest is for a suffix. */
const MAX_LENGTH = 200;

/** Characters of a token in a suffix: enough to tell the sources of one team apart. */
const SHORT_TOKEN = 8;

export interface NamedSource {
  /** UUID. */
  readonly token: string;
  readonly name: string;
  /** RFC 3339. */
  readonly insertedAt: string;
}

/**
 * The view of each source, by token. Where two sources would get the same name, the older one has it
 * and the other's ends with the start of its token; so a new source never takes a view's name away.
 */
export function viewNames(sources: readonly NamedSource[]): ReadonlyMap<string, string> {
  const taken = new Set<string>(RESERVED);
  const names = new Map<string, string>();
  for (const source of [...sources].sort(byAge)) {
    const name = candidates(source).find((candidate) => !taken.has(candidate));
    if (name === undefined) throw new Error(`two sources have the token ${source.token}`);
    taken.add(name);
    names.set(source.token, name);
  }
  return names;
}

function candidates({ token, name }: NamedSource): string[] {
  const plain = readable(name);
  const id = token.toLowerCase().replaceAll(/[^0-9a-z]/g, '');
  return [plain, `${plain}_${id.slice(0, SHORT_TOKEN)}`, `${plain}_${id}`];
}

/** Names that begin with anything but a letter would have to be quoted in every query. */
function readable(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]/g, '_')
    .slice(0, MAX_LENGTH);
  return /^[a-z]/.test(plain) ? plain : `source_${plain}`;
}

function byAge(a: NamedSource, b: NamedSource): number {
  return compare(a.insertedAt, b.insertedAt) || compare(a.token, b.token);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
