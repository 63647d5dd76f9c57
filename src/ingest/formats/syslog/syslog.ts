import { ServiceError } from '../../../platform/errors.ts';
import { sourceHint } from '../../decode/body-source.ts';
import type { BodyParser, DecodedEvents, IngestFormat } from '../../decode/format.ts';
import { parseJsonBody } from '../../decode/json-body.ts';
import { MAX_EVENTS, tooManyEvents } from '../../event/max-events.ts';
import { ValueBudget } from '../../event/max-values.ts';
import { eachFrame } from './frames.ts';
import { parseMessage } from './message.ts';

/** What log shippers send over HTTP: Heroku's Logplex, and syslog as text. */
const bodyParsers: readonly BodyParser[] = [
  { mediaType: /^(?:application\/(?:logplex-1|syslog)|text\/plain)$/, parse: parseSyslog },
  { mediaType: /^$/, parse: parseUnlabelled },
];

/**
 * Syslog and Heroku's Logplex. Logflare has a dialect for each; one reader takes both here. The same
 * batch as JSON is stored as it is (Logflare 1.50).
 */
export const SYSLOG_FORMATS: readonly IngestFormat[] = ['/logplex', '/syslogs', '/syslog'].map(
  (path) => ({ path, bodyParsers, decode }),
);

/** The body as if it had come as a JSON batch; nothing for no bytes, as for JSON. */
function parseSyslog(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  const batch: unknown[] = [];
  const budget = new ValueBudget();
  // UTF-8, what is none as U+FFFD; from one buffer, as one for each message costs as much as its header.
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  eachFrame(body, (start, end) => {
    if (batch.length === MAX_EVENTS) throw tooManyEvents();
    batch.push(parseMessage(body.toString('utf8', start, end), budget));
  });
  return { batch };
}

const BRACE = 0x7b;

/** No message begins as an object of JSON does. */
function parseUnlabelled(bytes: Uint8Array): unknown {
  return bytes[0] === BRACE ? parseJsonBody(bytes) : parseSyslog(bytes);
}

function decode({ body }: { readonly body: unknown }): DecodedEvents {
  const batch: unknown = (body as { batch?: unknown } | null)?.batch;
  if (!Array.isArray(batch)) {
    throw new ServiceError(
      'batch_missing',
      400,
      'The body holds no syslog message. Send messages of RFC 5424 with the header "Content-Type: ' +
        'application/logplex-1", or JSON of the form {"batch": [...]}.',
    );
  }
  return { events: batch, ...sourceHint(body) };
}
