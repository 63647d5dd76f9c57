import { Fields } from '../../platform/json/fields.ts';
import { isPlainObject, isRawNumber, MAX_JSON_DEPTH } from '../../platform/json/json.ts';
import { sourceHint } from '../decode/body-source.ts';
import { eventsOf } from '../decode/decode-elements.ts';
import type { DecodedEvents, IngestFormat } from '../decode/format.ts';

/**
 * A GitHub webhook: the payload is one event, stored as `metadata` without its links, which are half
 * of it. The message is `<repository> | <sender> | <action>` (Logflare 1.50).
 */
export const githubFormat: IngestFormat = {
  path: '/github',
  signature: { header: 'X-Hub-Signature-256', algorithm: 'sha256', prefix: 'sha256=' },

  decode({ body }): DecodedEvents {
    return { events: eventsOf([body], eventOf), ...sourceHint(body) };
  },
};

function eventOf(payload: Readonly<Record<string, unknown>>): unknown {
  const { id, timestamp, repository, sender, action } = payload;
  const parts = [textOf(repository, 'full_name'), textOf(sender, 'login'), text(action)];
  return {
    id,
    timestamp,
    event_message: parts.join(' | '),
    metadata: withoutLinks(payload, MAX_JSON_DEPTH),
  };
}

function textOf(object: unknown, field: string): string {
  return isPlainObject(object) ? text(object[field]) : '';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * A JSON value without the fields whose keys end in `_url`. Below so many levels it stays as it is:
 * the normalizer refuses what is nested that deep.
 */
function withoutLinks(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || levels === 0 || isRawNumber(value)) {
    return value;
  }
  if (Array.isArray(value)) return value.map((element) => withoutLinks(element, levels - 1));
  const kept = new Fields();
  for (const key in value) {
    if (!key.endsWith('_url')) kept[key] = withoutLinks((value as Fields)[key], levels - 1);
  }
  return kept;
}
