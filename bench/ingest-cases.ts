/** What `bench/ingest.ts` sends: bodies of 100 events, and the same events as JSON for the floor. */
import { type EventShape, edgeEvent } from './edge-event.ts';
import { lokiJson, lokiProtobuf } from './loki-push.ts';
import { otlpJson, otlpProtobuf } from './otlp-request.ts';
import { syslogMessage } from './syslog-message.ts';

export interface IngestCase {
  readonly name: string;
  /** Path of the format. */
  readonly path: string;
  readonly contentType: string;
  /** Body of the events with the numbers from `first` to before `end`. */
  body(first: number, end: number): string | Uint8Array;
  /** JSON text of what is stored of them, where the body is no JSON. */
  json?(first: number, end: number): string;
}

export const CASES: readonly IngestCase[] = [
  edge('raw', '', 'clean'),
  edge('json', '/json', 'clean'),
  // Header names with dashes and empty values: other names, and less of them.
  edge('raw-renamed', '', 'renamed'),
  edge('json-renamed', '/json', 'renamed'),
  // Nanoseconds do not fit a double: the parse has to keep their digits.
  edge('raw-nanoseconds', '', 'nanoseconds'),
  {
    name: 'syslog',
    path: '/syslogs',
    contentType: 'application/logplex-1',
    body: (first, end) =>
      numbers(first, end)
        .map((n) => syslogMessage(n).text)
        .join('\n'),
    json: (first, end) => `[${numbers(first, end).map((n) => syslogMessage(n).json)}]`,
  },
  {
    name: 'otlp-protobuf',
    path: '/v1/logs',
    contentType: 'application/x-protobuf',
    body: (first, end) => otlpProtobuf(first, end - first),
    json: (first, end) => otlpJson(first, end - first),
  },
  {
    name: 'otlp-json',
    path: '/v1/logs',
    contentType: 'application/json',
    body: (first, end) => otlpJson(first, end - first),
  },
  {
    name: 'elasticsearch',
    path: '/_bulk',
    contentType: 'application/x-ndjson',
    body: (first, end) =>
      numbers(first, end)
        .map((number) => `{"create":{}}\n${edgeEvent(number, 'clean')}\n`)
        .join(''),
    json: (first, end) => edgeList(first, end, 'clean'),
  },
  {
    name: 'loki-json',
    path: '/loki/api/v1/push',
    contentType: 'application/json',
    body: lokiJson,
  },
  {
    name: 'loki-protobuf',
    path: '/loki/api/v1/push',
    contentType: 'application/x-protobuf',
    body: lokiProtobuf,
    json: lokiJson,
  },
];

function edge(name: string, path: string, shape: EventShape): IngestCase {
  return {
    name,
    path,
    contentType: 'application/json',
    body: (first, end) => edgeList(first, end, shape),
  };
}

function edgeList(first: number, end: number, shape: EventShape): string {
  return `[${numbers(first, end).map((number) => edgeEvent(number, shape))}]`;
}

function numbers(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}
