import { isPlainObject } from '../../platform/json/json.ts';
import { sourceHint } from '../decode/body-source.ts';
import { eventsOf, listOf } from '../decode/decode-elements.ts';
import type { DecodedEvents, IngestFormat } from '../decode/format.ts';
import { timestampOf } from '../event/usual-time.ts';

/**
 * Telegraf's `http` output with `data_format = "json"`: `{"metrics": [...]}`, or one metric a line where it
 * sends no batches. A metric is an event: its name is the message, and all but its time is `metadata`.
 */
export const telegrafFormat: IngestFormat = {
  path: '/telegraf',

  decode({ body }): DecodedEvents {
    return { events: eventsOf(metricsOf(body), eventOf), ...sourceHint(body) };
  },
};

function metricsOf(body: unknown): readonly unknown[] {
  const metrics = isPlainObject(body) ? body.metrics : undefined;
  return Array.isArray(metrics) ? metrics : listOf(body);
}

function eventOf(metric: Readonly<Record<string, unknown>>): unknown {
  const { timestamp: _timestamp, ...metadata } = metric;
  return {
    timestamp: timestampOf(metric),
    event_message: metric.name,
    metadata: { type: 'metric', ...metadata },
  };
}
