import { ServiceError } from '../../platform/errors.ts';
import { Fields } from '../../platform/json/fields.ts';
import type { AnswerStyle, BodyParser, DecodedEvents, IngestFormat } from '../decode/format.ts';
import { onlyObjects } from '../decode/json-documents.ts';
import { EventRejected } from '../event/rejected-event.ts';
import { describeRejected } from '../event/store-outcome.ts';

type Message = Readonly<Record<string, unknown>>;

const TEXT = 'text/plain; charset=utf-8';
const MAX_TIME = 9_999_999_999;

const answers: AnswerStyle = {
  stored: (outcome) =>
    outcome.rejected.length === 0
      ? { status: 202, contentType: TEXT, body: '' }
      : { status: 400, contentType: TEXT, body: `${describeRejected(outcome)}\n` },
  failed: ({ message }) => ({ contentType: TEXT, body: `${message}\n` }),
};

/** Graylog's input asks for no content type, and takes messages in lines, too. */
const bodyParsers: readonly BodyParser[] = [{ mediaType: /(?:)/, parse: parseMessages }];

/**
 * GELF 1.1 over HTTP: `short_message` is the message, everything else `metadata`, additional fields without the
 * underscore before them.
 */
export const gelfFormat: IngestFormat = {
  path: '/gelf',
  atRoot: true,
  ownSource: () => undefined,
  bodyParsers,
  answers,
  decode: ({ body }): DecodedEvents => ({ events: (body as readonly Message[]).map(eventOf) }),
};

function parseMessages(bytes: Uint8Array): readonly Message[] {
  const messages = onlyObjects(bytes);
  if (messages !== undefined) return messages;
  throw new ServiceError(
    'invalid_json',
    400,
    'The body is not GELF: send a JSON object, or one on each line.',
  );
}

function eventOf(message: Message): unknown {
  const {
    version: _version,
    timestamp,
    short_message: short,
    full_message: full,
    ...rest
  } = message;
  const text = isText(short) ? short : full;
  if (!isText(text)) return new EventRejected('it has no "short_message"');
  const metadata = new Fields();
  for (const name in rest) {
    if (!name.startsWith('_')) metadata[name] = rest[name];
  }
  for (const name in rest) {
    const bare = name.replace(/^_/, '');
    metadata[bare in metadata ? name : bare] = rest[name];
  }
  if (full !== text) metadata.full_message = full;
  return { timestamp: timeOf(timestamp), event_message: text, metadata };
}

/** Seconds since the epoch, with a fraction or without; some libraries send milliseconds, or text. */
function timeOf(timestamp: unknown): unknown {
  const seconds = typeof timestamp === 'string' ? Number(timestamp) : timestamp;
  return typeof seconds === 'number' && seconds > 0 && seconds <= MAX_TIME * 1000
    ? seconds
    : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
