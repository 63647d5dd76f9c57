import { ServiceError } from '../../platform/errors.ts';
import { isPlainObject, scalarText } from '../../platform/json/json.ts';
import { eventsOf } from '../decode/decode-elements.ts';
import type { DecodedEvents, IngestFormat } from '../decode/format.ts';
import { ValueBudget } from '../event/max-values.ts';
import { parseLambdaMessage } from './aws/vercel-lambda-output.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Log drains of Vercel: a list of log entries, or one per line (Logflare 1.50; Vercel's drains). */
export const vercelFormat: IngestFormat = {
  path: '/vercel',
  verificationHeader: 'x-vercel-verify',
  signature: { header: 'x-vercel-signature', algorithm: 'sha1', prefix: '' },

  decode({ body }): DecodedEvents {
    const budget = new ValueBudget();
    return { events: eventsOf(entriesOf(body), (entry) => toEvent(entry, budget)) };
  },
};

/** The same under the name that Vercel had before 2020. */
export const zeitFormat: IngestFormat = { ...vercelFormat, path: '/zeit' };

function entriesOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  // What Vercel sends to see whether the address answers with its code.
  if (isPlainObject(body) && Object.keys(body).length === 0) return [];
  throw new ServiceError(
    'list_expected',
    400,
    'The body is not a list of log entries. Choose JSON or NDJSON as the delivery format of the drain.',
  );
}

function toEvent(entry: Entry, budget: ValueBudget): unknown {
  const { id, timestamp } = entry;
  return { id, timestamp, event_message: messageOf(entry), metadata: metadataOf(entry, budget) };
}

/** Logflare names what a build says by its presence alone. */
function messageOf(entry: Entry): string {
  const source = scalarText(entry.source) ?? '';
  if (source === 'build') return hasMessage(entry) ? 'build | ' : 'build';
  const proxy = isPlainObject(entry.proxy) ? entry.proxy : {};
  const parts = [proxy.statusCode, proxy.host, proxy.path, proxy.clientIp].map(scalarText);
  return [source, ...parts, userAgents(proxy).join('')].join(' | ');
}

function metadataOf(entry: Entry, budget: ValueBudget): Entry {
  const { source, proxy, message } = entry;
  const withAgents = isPlainObject(proxy) ? { ...entry, proxy: joinUserAgents(proxy) } : entry;
  return source === 'lambda' && typeof message === 'string' && message !== ''
    ? { ...withAgents, parsedLambdaMessage: parseLambdaMessage(message, budget) }
    : withAgents;
}

/** The user agents as one text; a list that holds anything but text stays a list. */
function joinUserAgents(proxy: Entry): Entry {
  const agents = Array.isArray(proxy.userAgent) ? userAgents(proxy) : [undefined];
  return agents.includes(undefined) ? proxy : { ...proxy, userAgent: agents.join(',') };
}

function userAgents({ userAgent }: Entry): readonly (string | undefined)[] {
  return (Array.isArray(userAgent) ? userAgent : [userAgent]).map(scalarText);
}

function hasMessage({ message }: Entry): boolean {
  return message !== undefined && message !== null && message !== false;
}
