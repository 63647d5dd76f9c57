import { scalarText } from '../../platform/json/json.ts';
import { decodeElements } from '../decode/decode-elements.ts';
import type { IngestFormat } from '../decode/format.ts';
import { JsonTextOf, pickMessage } from '../event/message.ts';

type Entry = Readonly<Record<string, unknown>>;

/** What the message of a request is made of, by the kind of log; the first that is complete counts. */
const REQUEST_LINES: readonly (readonly string[])[] = [
  ['method', 'status_code', 'request_id', 'path'],
  ['method', 'status_code', 'client_ip', 'request_id', 'url', 'user_agent'],
];

/**
 * Log drains of Netlify: an entry, a list of them, or one per line. Every `log_type` is taken, not
 * only those that Logflare 1.50 knows.
 */
export const netlifyFormat: IngestFormat = {
  path: '/netlify',
  decode: decodeElements(toEvent),
};

function toEvent(entry: Entry): unknown {
  return isValidation(entry) ? validationEvent(entry) : logEvent(entry);
}

/** What Netlify sends when a drain is set up: a message and no type of log. */
function isValidation({ log_type: logType, timestamp, message }: Entry): boolean {
  const isLog = isGiven(logType) && isGiven(timestamp);
  return !isLog && isGiven(message);
}

function validationEvent(entry: Entry): Entry {
  const { message, timestamp, ...others } = entry;
  const metadata = { log_type: 'validate', ...others };
  return { id: entry.id, timestamp, event_message: message, metadata };
}

function logEvent(entry: Entry): Entry {
  const { timestamp, ...metadata } = entry;
  const message = requestLine(entry) ?? pickMessage(entry) ?? new JsonTextOf(metadata);
  return { id: entry.id, timestamp, event_message: message, metadata };
}

function requestLine(entry: Entry): string | undefined {
  if (!Number.isInteger(entry.status_code)) return undefined;
  for (const names of REQUEST_LINES) {
    const parts = names.map((name) => scalarText(entry[name]));
    if (!parts.includes(undefined)) return [scalarText(entry.log_type), ...parts].join(' | ');
  }
  return undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
