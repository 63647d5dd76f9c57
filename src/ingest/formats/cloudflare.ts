import { isPlainObject } from '../../platform/json/json.ts';
import { parseEventJsonIfAny } from '../decode/event-json.ts';
import type { IngestFormat } from '../decode/format.ts';
import { jsonLines } from '../decode/json-lines.ts';
import { ValueBudget } from '../event/max-values.ts';
import { logpushParser, parseLogpush } from './logpush.ts';
import { rawFormat } from './raw.ts';

/** Logpush sends `text/plain`; the empty text stands for no content type. */
const NO_USEFUL_TYPE = /^(?:|text\/plain|application\/octet-stream)$/;

/**
 * What Cloudflare sends: Logpush its NDJSON, the test upload of a new job included; a Worker JSON in
 * the shapes of the raw route (Logflare 1.50).
 */
export const cloudflareFormat: IngestFormat = {
  path: '/cloudflare',
  bodyParsers: [logpushParser, { mediaType: NO_USEFUL_TYPE, parse: parseUntyped }],
  decode: rawFormat.decode,
};

/**
 * Lines of Logpush, unless the body as a whole is JSON that no job of Logpush sends: a list, a
 * batch, or an object over several lines.
 */
function parseUntyped(bytes: Uint8Array): unknown {
  const [first] = jsonLines(bytes);
  const isLogpush =
    first === undefined || (isPlainObject(first.value) && !Array.isArray(first.value.batch));
  if (isLogpush) return parseLogpush(bytes);
  new ValueBudget().check(bytes);
  return parseEventJsonIfAny(bytes) ?? parseLogpush(bytes);
}
