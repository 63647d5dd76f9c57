/** Spans, and the events in them, as events (Logflare 1.50). */
import type { Fields } from '../../../platform/json/fields.ts';
import type { DecodedEvents } from '../../decode/format.ts';
import { EventCollector } from './event-collector.ts';
import {
  type ExportTraceServiceRequest,
  ExportTraceServiceRequestSchema,
} from './gen/opentelemetry/proto/collector/trace/v1/trace_service_pb.ts';
import type {
  Span,
  Span_Event,
  Span_Link,
  Status,
} from './gen/opentelemetry/proto/trace/v1/trace_pb.ts';
import { requestReader } from './request.ts';
import { attributes } from './values/attributes.ts';
import type { IdText } from './values/ids.ts';
import { timestamp } from './values/nanoseconds.ts';
import { integerUnlessZero } from './values/numbers.ts';
import { resourceFields, scopeFields } from './values/resource-scope.ts';

/** Names of the enums by number, as Logflare writes them. */
const KINDS = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'];
const STATUS_CODES = ['Unset', 'Ok', 'Error'];

export const traces = requestReader(ExportTraceServiceRequestSchema, eventsOf);

function eventsOf(request: ExportTraceServiceRequest, idText: IdText): DecodedEvents {
  const records = new EventCollector();
  for (const ofResource of request.resourceSpans) {
    const shared = resourceFields(ofResource);
    for (const ofScope of ofResource.scopeSpans) {
      const origin = scopeFields(shared, ofScope);
      for (const span of ofScope.spans) {
        records.add(spanEvent(span, idText, origin));
        for (const event of span.events) records.addToSame(eventIn(span, event, idText, origin));
      }
    }
  }
  return records.decoded;
}

function spanEvent(span: Span, idText: IdText, origin: Fields): Fields {
  return {
    timestamp: timestamp(span.startTimeUnixNano, span.endTimeUnixNano),
    event_message: span.name,
    metadata: { type: 'span' },
    trace_id: idText(span.traceId),
    span_id: idText(span.spanId),
    parent_span_id: idText(span.parentSpanId),
    trace_state: span.traceState,
    kind: KINDS[span.kind] ?? String(span.kind),
    start_time: integerUnlessZero(span.startTimeUnixNano),
    end_time: integerUnlessZero(span.endTimeUnixNano),
    attributes: attributes(span.attributes),
    status: statusOf(span.status),
    links: span.links.map((link) => linkOf(link, idText)),
    flags: span.flags || undefined,
    dropped_attributes_count: span.droppedAttributesCount || undefined,
    dropped_events_count: span.droppedEventsCount || undefined,
    dropped_links_count: span.droppedLinksCount || undefined,
    ...origin,
  };
}

/** An event in a span is an event of its own, below the span. */
function eventIn(span: Span, event: Span_Event, idText: IdText, origin: Fields): Fields {
  return {
    timestamp: timestamp(event.timeUnixNano, span.startTimeUnixNano, span.endTimeUnixNano),
    event_message: event.name,
    metadata: { type: 'event' },
    trace_id: idText(span.traceId),
    parent_span_id: idText(span.spanId),
    attributes: attributes(event.attributes),
    dropped_attributes_count: event.droppedAttributesCount || undefined,
    ...origin,
  };
}

/** Undefined for the status that says nothing. */
function statusOf(status: Status | undefined): Fields | undefined {
  if (status === undefined || (status.code === 0 && status.message === '')) return undefined;
  return {
    code: STATUS_CODES[status.code] ?? String(status.code),
    message: status.message,
  };
}

function linkOf(link: Span_Link, idText: IdText): Fields {
  return {
    trace_id: idText(link.traceId),
    span_id: idText(link.spanId),
    trace_state: link.traceState,
    attributes: attributes(link.attributes),
    dropped_attributes_count: link.droppedAttributesCount || undefined,
    flags: link.flags || undefined,
  };
}
