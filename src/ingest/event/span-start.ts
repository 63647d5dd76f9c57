/** When a trace span began: its time, when it has no timestamp (Logflare 1.50). */

import type { EventTime } from '../../lake/rows/event-time.ts';
import { isRawNumber } from '../../platform/json/json.ts';
import { parseEventTimestamp } from './parse-timestamp.ts';

type Event = Readonly<Record<string, unknown>>;

const TRACE_ID = ['trace_id', 'traceId', 'otel_trace_id'];
const SPAN_ID = ['span_id', 'spanId', 'otel_span_id'];
const SPAN_MARK = [
  'parent_span_id',
  'parentSpanId',
  'start_time',
  'end_time',
  'duration',
  'duration_ms',
  'duration_ns',
];
const START = ['start_time', 'startTime', 'start_time_unix_nano', 'startTimeUnixNano'];

/** The start of an event that is a span; undefined for any other event, and without a start. */
export function spanStart(event: Event): EventTime | undefined {
  if (!isSpan(event)) return undefined;
  const field = START.find((name) => isPositiveInteger(event[name]));
  return field === undefined ? undefined : parseEventTimestamp(event[field]);
}

function isSpan(event: Event): boolean {
  const type = typeInMetadata(event.metadata);
  if (type === 'span') return true;
  return (
    !['metric', 'event', 'otel_log'].includes(type) &&
    hasText(event, TRACE_ID) &&
    hasText(event, SPAN_ID) &&
    hasText(event, SPAN_MARK)
  );
}

function typeInMetadata(metadata: unknown): string {
  const type = (metadata as { type?: unknown } | null | undefined)?.type;
  return typeof type === 'string' ? type : '';
}

function hasText(event: Event, names: readonly string[]): boolean {
  return names.some((name) => typeof event[name] === 'string' && event[name] !== '');
}

function isPositiveInteger(value: unknown): boolean {
  return isRawNumber(value)
    ? !value.rawJSON.startsWith('-')
    : Number.isInteger(value) && Number(value) > 0;
}
