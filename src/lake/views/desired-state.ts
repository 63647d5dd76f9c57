import { NOTHING_SHOWN, type SourceSchema } from '../../catalog/source-schema.ts';
import { eventsView, type ViewedTables } from './events-view.ts';
import { type NamedSource, viewNames } from './names.ts';
import { sourcesView, sourceView } from './source-views.ts';
import { replaceStatement, type View } from './view.ts';

/** What the views are made from. */
export interface LakeState {
  readonly sources: readonly NamedSource[];
  /** Inferred schemas by token; a source without one has no columns of its own. */
  readonly schemas: ReadonlyMap<string, SourceSchema>;
  /** Milliseconds since the epoch; undefined before the first compaction. */
  readonly watermark: number | undefined;
  /** @default the tables' names in the lake's database */
  readonly tables?: ViewedTables;
}

/** Athena refuses a longer statement, bytes of UTF-8: some 1,500 sources in one list. */
const MAX_STATEMENT_BYTES = 262_144;

export interface DesiredViews {
  /** The views that others read, in the order in which they have to be made. */
  readonly shared: readonly View[];
  /** One view per source. */
  readonly sources: readonly View[];
  /** Whether the list of sources had to be left out, because no statement can hold it. */
  readonly tooManySources: boolean;
}

/** All views of the lake as they should be. */
export function desiredViews({ sources, schemas, ...lake }: LakeState): DesiredViews {
  const names = viewNames(sources);
  const entries = sources.flatMap(({ token, name }) => {
    const viewName = names.get(token);
    return viewName === undefined ? [] : [{ token, name, viewName }];
  });
  const list = sourcesView(entries);
  const tooManySources = Buffer.byteLength(replaceStatement(list)) > MAX_STATEMENT_BYTES;
  return {
    shared: [eventsView(lake), ...(tooManySources ? [] : [list])],
    sources: entries.map(({ token, viewName }) =>
      sourceView(viewName, token, schemas.get(token) ?? NOTHING_SHOWN),
    ),
    tooManySources,
  };
}
