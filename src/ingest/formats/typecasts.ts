import { ServiceError } from '../../platform/errors.ts';
import { isPlainObject } from '../../platform/json/json.ts';
import { sourceHint } from '../decode/body-source.ts';
import type { DecodedEvents, IngestFormat } from '../decode/format.ts';
import { EventRejected } from '../event/rejected-event.ts';
import { castToFloats, floatPaths } from './float-casts.ts';

/**
 * A batch of events, among them such as `{"body": {...}, "typecasts": [{"path": ["metadata", "price"],
 * "from": "string", "to": "float"}]}`, whose body is stored with those texts as numbers (Logflare 1.50).
 */
export const typecastsFormat: IngestFormat = {
  path: '/typecasts',

  decode({ body }): DecodedEvents {
    return { events: batchOf(body).map(cast), ...sourceHint(body) };
  },
};

function batchOf(body: unknown): readonly unknown[] {
  const batch: unknown = Array.isArray(body) ? body : (body as { batch?: unknown } | null)?.batch;
  if (!Array.isArray(batch)) {
    throw new ServiceError(
      'batch_missing',
      400,
      'This route takes {"batch": [...]} or a list of events; an element with typecasts is ' +
        '{"body": {...}, "typecasts": [{"path": ["a", "b"], "from": "string", "to": "float"}]}.',
    );
  }
  return batch;
}

/** Elements that lack one of the two keys are events as they stand. */
function cast(element: unknown): unknown {
  if (!isPlainObject(element) || element.body === undefined || element.typecasts === undefined) {
    return element;
  }
  try {
    castToFloats(element.body, floatPaths(element.typecasts));
    return element.body;
  } catch (error) {
    if (!(error instanceof EventRejected)) throw error;
    return error;
  }
}
