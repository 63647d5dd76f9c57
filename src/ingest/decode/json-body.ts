import { ValueBudget } from '../event/max-values.ts';
import { isInvalidJson, parseEventJson } from './event-json.ts';
import { onlyObjects } from './json-documents.ts';

/**
 * A body of JSON. An empty one is an empty object, as Logflare has it. Bytes that are not
 * UTF-8 become U+FFFD, because an agent drops a batch that is refused for one broken line. Depth is
 * left to the normalizer, which refuses one event for it and not the batch. Objects in a row are a
 * list of them: Fluent Bit's `json_stream`, and its `json_lines` up to 1.8, call that JSON.
 *
 * @throws ServiceError `invalid_json` (400), `too_many_values`, `too_many_events` (413).
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  new ValueBudget().spend(bytes);
  try {
    return parseEventJson(bytes);
  } catch (error) {
    const objects = isInvalidJson(error) ? onlyObjects(bytes) : undefined;
    if (objects === undefined) throw error;
    return objects;
  }
}
