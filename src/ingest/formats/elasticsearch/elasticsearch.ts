import type { BodyParser, DecodedEvents, IngestFormat } from '../../decode/format.ts';
import { jsonLines } from '../../decode/json-lines.ts';
import { JsonTextOf, pickMessage } from '../../event/message.ts';
import { timestampOf } from '../../event/usual-time.ts';
import { bulkAnswers, documentAnswers } from './answers.ts';
import { type BulkItem, bulkItems, sourceNameOf } from './bulk.ts';
import { elasticsearchProbes } from './probes.ts';

type Document = Readonly<Record<string, unknown>>;

/** Clients call a bulk body JSON, NDJSON, or by a type of Elastic's own. */
const bodyParsers: readonly BodyParser[] = [
  { mediaType: /(?:)/, parse: (bytes) => bulkItems(jsonLines(bytes)) },
];

/**
 * Elasticsearch's bulk API: every document is the `metadata` of an event, with its id. The index names the source,
 * without the date at its end.
 */
export const elasticsearchBulkFormat: IngestFormat = {
  path: '/_bulk',
  atRoot: true,
  ownSource: ({ path }) => ownSource(indexOf(path)),
  bodyParsers,
  answers: bulkAnswers,
  probes: elasticsearchProbes,

  decode({ body, address }): DecodedEvents {
    const index = indexOf(address.path);
    const items = (body as readonly BulkItem[]).map((item) => ({
      ...item,
      index: item.index ?? index,
    }));
    return {
      events: items.map(({ document, id, index: of }) =>
        document instanceof Error ? document : eventOf(document, id, of),
      ),
      ...sourceOf(items),
      forAnswer: items,
    };
  },
};

/** The same for an index that the address names. */
export const elasticsearchIndexBulkFormat: IngestFormat = {
  ...elasticsearchBulkFormat,
  path: '/:index/_bulk',
  probes: [],
};

/** One document. */
export const elasticsearchDocumentFormat: IngestFormat = {
  path: '/:index/_doc',
  atRoot: true,
  ownSource: elasticsearchBulkFormat.ownSource as NonNullable<IngestFormat['ownSource']>,
  answers: documentAnswers,

  decode({ body, address }): DecodedEvents {
    const index = indexOf(address.path);
    return { events: [eventOf(body, undefined, index)], forAnswer: [{ index }] };
  },
};

function eventOf(document: unknown, id: string | undefined, index: string | undefined): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  const fields = document as Document;
  return {
    id: id ?? fields.id,
    timestamp: timestampOf(fields),
    event_message: pickMessage(fields) ?? new JsonTextOf(fields),
    index,
    metadata: fields,
  };
}

/** The index that an address names. */
function indexOf(path: string): string | undefined {
  return /^\/([^/]+)\/_/.exec(path)?.[1];
}

function ownSource(index: string | undefined): string | undefined {
  return index === undefined ? undefined : sourceNameOf(index);
}

/** The source that all items name, or that they name several. */
function sourceOf(items: readonly BulkItem[]): Pick<DecodedEvents, 'source'> {
  const names = new Set(items.map(({ index }) => ownSource(index)));
  if (names.size > 1) return { source: { isOneOfSeveral: true } };
  const [name] = names;
  return name === undefined ? {} : { source: { name } };
}
