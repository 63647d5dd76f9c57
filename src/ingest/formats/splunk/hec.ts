import { isPlainObject, scalarText } from '../../../platform/json/json.ts';
import type { BodyParser, DecodedEvents, DecodeInput, IngestFormat } from '../../decode/format.ts';
import { onlyObjects } from '../../decode/json-documents.ts';
import { EventBatch } from '../../event/event-batch.ts';
import { JsonTextOf, pickMessage } from '../../event/message.ts';
import { EventRejected } from '../../event/rejected-event.ts';
import { hecAnswers, hecProbes, invalidData, noData } from './answers.ts';

type Envelope = Readonly<Record<string, unknown>>;

/** `curl -d` calls them a form, and Splunk does not mind: the body decides. */
const bodyParsers: readonly BodyParser[] = [{ mediaType: /(?:)/, parse: parseEnvelopes }];

/**
 * Splunk's HTTP Event Collector: objects back to back, each with an `event` in it, which is text (the message) or an
 * object (the `metadata`). What stands beside it are fields of the event; its `index` names the source.
 */
const hecFormat: IngestFormat = {
  path: '/services/collector',
  atRoot: true,
  ownSource: (request) => request.query('index'),
  bodyParsers,
  answers: hecAnswers,
  probes: hecProbes,

  decode({ body, address }): DecodedEvents {
    const envelopes = body as readonly Envelope[];
    const beside = defaultsOf(address);
    const batch = new EventBatch();
    const repeated = JSON.stringify(beside).length;
    for (const envelope of envelopes) batch.add(eventOf(envelope, beside), repeated);
    return { events: batch.events, ...sourceOf(envelopes) };
  },
};

/** Lines of text, each an event. */
const hecRawFormat: IngestFormat = {
  ...hecFormat,
  path: '/services/collector/raw',
  bodyParsers: [{ mediaType: /(?:)/, parse: (bytes) => bytes }],
  probes: [],

  decode({ body, address }): DecodedEvents {
    const beside = defaultsOf(address);
    const timestamp = timeOf(address.query('time'));
    const batch = new EventBatch();
    const repeated = JSON.stringify(beside).length;
    for (const line of linesOf(body as Uint8Array)) {
      batch.add({ ...beside, timestamp, event_message: line }, repeated);
    }
    if (batch.events.length === 0) throw noData();
    return { events: batch.events };
  },
};

/** Each under all its names. */
export const HEC_FORMATS: readonly IngestFormat[] = [
  hecFormat,
  { ...hecFormat, path: '/services/collector/event', probes: [] },
  { ...hecFormat, path: '/services/collector/event/1.0', probes: [] },
  hecRawFormat,
  { ...hecRawFormat, path: '/services/collector/raw/1.0' },
];

function parseEnvelopes(bytes: Uint8Array): readonly Envelope[] {
  if (bytes.length === 0) throw noData();
  const objects = onlyObjects(bytes);
  if (objects === undefined) throw invalidData();
  return objects;
}

function eventOf(envelope: Envelope, beside: Envelope): unknown {
  const { event, time, host, source, sourcetype, index, fields } = envelope;
  const timestamp = timeOf(time);
  if (event === undefined || event === null) return new EventRejected('it has no field "event"');
  if (event === '') return new EventRejected('its field "event" is empty');
  if (time !== undefined && time !== null && timestamp === undefined) {
    return new EventRejected('its time is not in seconds since the epoch');
  }
  const origin = {
    host: host ?? beside.host,
    source: source ?? beside.source,
    sourcetype: sourcetype ?? beside.sourcetype,
    index: index ?? beside.index,
    fields,
  };
  return isPlainObject(event)
    ? {
        ...origin,
        timestamp,
        event_message: pickMessage(event) ?? new JsonTextOf(event),
        metadata: event,
      }
    : { ...origin, timestamp, event_message: scalarText(event) ?? new JsonTextOf(event) };
}

/** What the address says of events that do not say it themselves. */
function defaultsOf(address: DecodeInput['address']): Envelope {
  return {
    host: address.query('host'),
    source: address.query('source'),
    sourcetype: address.query('sourcetype'),
    index: address.query('index'),
  };
}

/** Seconds since the epoch, as a number or text, with a fraction or without; milliseconds by their digits. */
function timeOf(time: unknown): number | undefined {
  const text = scalarText(time) ?? '';
  return /^\d{1,13}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** The source that all events name, or that they name several. */
function sourceOf(envelopes: readonly Envelope[]): Pick<DecodedEvents, 'source'> {
  const names = new Set(envelopes.map(({ index }) => scalarText(index)));
  if (names.size > 1) return { source: { isOneOfSeveral: true } };
  const [name] = names;
  return name === undefined ? {} : { source: { name } };
}

const NEWLINE = 0x0a;
const decoder = new TextDecoder();

/** The lines of a text but for blank ones. */
function* linesOf(bytes: Uint8Array): Generator<string, void, undefined> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    const line = end === start ? '' : decoder.decode(bytes.subarray(start, end)).trimEnd();
    if (line !== '') yield line;
    start = end + 1;
  }
}
