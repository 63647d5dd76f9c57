import { isPlainObject } from '../../platform/json/json.ts';
import { eventsOf, listOf } from '../decode/decode-elements.ts';
import type { AnswerStyle, DecodedEvents, DecodeInput, IngestFormat } from '../decode/format.ts';
import { EventBatch } from '../event/event-batch.ts';
import { JsonTextOf, pickMessage } from '../event/message.ts';
import { parseEventTimestamp } from '../event/parse-timestamp.ts';
import { describeRejected } from '../event/store-outcome.ts';
import { timestampOf } from '../event/usual-time.ts';

type Log = Readonly<Record<string, unknown>>;

const JSON_TYPE = 'application/json';

/** The Agent drops a payload on these, and repeats on every other 4xx and 5xx (pkg/logs/client/http). */
const FINAL = [400, 401, 403, 413];
const REPEATED = [408, 429];

const answers: AnswerStyle = {
  stored: (outcome) =>
    outcome.rejected.length === 0
      ? { status: 202, contentType: JSON_TYPE, body: '{}' }
      : { status: 400, contentType: JSON_TYPE, body: errorsOf(describeRejected(outcome), 400) },

  failed({ message, status }) {
    const isFinal = status >= 500 || FINAL.includes(status) || REPEATED.includes(status);
    return {
      contentType: JSON_TYPE,
      body: errorsOf(message, isFinal ? status : 400),
      ...(!isFinal && { status: 400 as const }),
    };
  },
};

/**
 * Datadog's logs intake: a log or a list of them. The message and the time are the event's, and the whole log its
 * `metadata`, with what the address says of all logs.
 */
export const datadogFormat: IngestFormat = {
  path: '/api/v2/logs',
  atRoot: true,
  keyHeader: 'DD-API-KEY',
  // The intake has no name for where logs go: the key says it.
  ownSource: () => undefined,
  answers,

  decode({ body, address }): DecodedEvents {
    const beside = defaultsOf(address);
    const repeated = JSON.stringify(beside).length;
    const batch = new EventBatch();
    for (const event of eventsOf(logsOf(body), (log) => eventOf({ ...beside, ...log }))) {
      batch.add(event, repeated);
    }
    return { events: batch.events };
  },
};

/** The same under the name that it had before. */
export const datadogV1Format: IngestFormat = { ...datadogFormat, path: '/v1/input' };

/** The Agent sends an empty object to see whether the intake is there. */
function logsOf(body: unknown): readonly unknown[] {
  return isPlainObject(body) && Object.keys(body).length === 0 ? [] : listOf(body);
}

function eventOf(log: Log): unknown {
  const { message, date } = log;
  const timestamp = timestampOf(log);
  return {
    id: log.id,
    // Fluent Bit and Datadog's libraries say `date`.
    timestamp: timestamp ?? (parseEventTimestamp(date) === undefined ? undefined : date),
    event_message: message ?? pickMessage(log) ?? new JsonTextOf(log),
    metadata: log,
  };
}

function defaultsOf(address: DecodeInput['address']): Log {
  const names = ['ddsource', 'ddtags', 'hostname', 'service'];
  const given = names.map((name) => [name, address.query(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function errorsOf(detail: string, status: number): string {
  const title = status < 500 ? 'Bad Request' : 'Server Error';
  return JSON.stringify({ errors: [{ title, detail, status: String(status) }] });
}
