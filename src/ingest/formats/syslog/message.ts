/** One syslog message (RFC 5424) as an event, in the shape that Logflare 1.50 gives it. */
import { parseJsonIfAny } from '../../../platform/json/json.ts';
import type { ValueBudget } from '../../event/max-values.ts';
import { EventRejected } from '../../event/rejected-event.ts';
import { parseLogfmt } from './logfmt.ts';
import { facilityOf, MAX_PRIORITY, severityOf } from './priority.ts';
import { readStructuredData, type SdElement } from './structured-data.ts';

/**
 * HEADER up to the MSGID: `<PRI>VERSION SP TIMESTAMP SP HOSTNAME SP APP-NAME SP PROCID SP MSGID`. All
 * names may be as long as RFC 5424 allows for a host. No part matches what a neighbour matches.
 */
const HEADER =
  /^<(\d{1,3})>\d{1,2} (-|\d[0-9:TZ.+-]{0,63}) (\S{1,255}) (\S{1,255}) (\S{1,255}) (\S{1,255})(?: |$)/;

/** Colours and the "erase line" that comes with them. */
const ESCAPE = '\u001b';
const ANSI_CODES = new RegExp(`${ESCAPE}\\[[\\d;:]{0,64}[mK]`, 'g');

/** Levels of JSON inside a message: the event adds `metadata`, the list `sd` and its element. */
const MAX_EMBEDDED_DEPTH = 60;

/**
 * The event of a message; an {@link EventRejected} when it is not one of RFC 5424, which the answer then
 * names by its index.
 *
 * Structured data may be missing, as Heroku leaves it out.
 *
 * @param budget of the request: past it JSON in messages stays text.
 */
export function parseMessage(text: string, budget: ValueBudget): unknown {
  const raw = text.trimEnd();
  const header = HEADER.exec(raw);
  const priority = Number(header?.[1] ?? Number.NaN);
  if (header === null || priority > MAX_PRIORITY) return new EventRejected(NOT_A_MESSAGE);
  const [, , timestamp, hostname, appname, processId, messageId] = header;
  const structured = readStructuredData(raw, header[0].length);
  const body = messageOf(raw, structured === undefined ? header[0].length : structured.end + 1);
  const message = body?.includes(ESCAPE) ? body.replaceAll(ANSI_CODES, '') : body;
  const severity = severityOf(priority);
  return {
    event_message: message,
    timestamp: unlessNil(timestamp),
    metadata: {
      priority,
      facility: facilityOf(priority),
      severity,
      level: severity,
      hostname: unlessNil(hostname),
      appname: unlessNil(appname),
      process_id: unlessNil(processId),
      message_id: unlessNil(messageId),
      message_text: body,
      message_raw: raw,
      sd: withEmbeddedJson(structured?.elements ?? [], message, budget),
      logfmt: mayBeLogfmt(processId) && message !== undefined ? parseLogfmt(message) : undefined,
    },
  };
}

const NOT_A_MESSAGE =
  'not a syslog message of RFC 5424 (<PRI>1 TIMESTAMP HOSTNAME APP-NAME PROCID MSGID ...)';

/** MSG without its byte order mark (RFC 5424 6.4); undefined when there is none. */
function messageOf(raw: string, start: number): string | undefined {
  const text = raw.slice(raw[start] === '\ufeff' ? start + 1 : start);
  return text === '' ? undefined : text;
}

/** RFC 5424 6: the NILVALUE. */
function unlessNil(value: string | undefined): string | undefined {
  return value === '-' ? undefined : value;
}

/** Heroku's own processes: `router`, `heroku-postgres`, `heroku-redis` ... */
function mayBeLogfmt(processId: string | undefined): boolean {
  return processId === 'router' || processId?.startsWith('heroku') === true;
}

/** In front, if there is any: the JSON object between the first `{` and the last `}` of a message. */
function withEmbeddedJson(
  elements: readonly SdElement[],
  message: string | undefined,
  budget: ValueBudget,
): readonly SdElement[] {
  const start = message?.indexOf('{') ?? -1;
  const end = message?.lastIndexOf('}') ?? -1;
  if (message === undefined || start === -1 || end < start) return elements;
  // What parses between braces is an object.
  const json = message.slice(start, end + 1);
  const embedded = budget.affords(json) ? parseJsonIfAny(json, MAX_EMBEDDED_DEPTH) : undefined;
  return embedded === undefined
    ? elements
    : [{ ...(embedded as SdElement), id: 'json' }, ...elements];
}
