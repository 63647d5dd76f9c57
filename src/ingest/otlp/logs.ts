/** Log records as events (Logflare 1.50). */
import type { Fields } from '../fields.ts';
import type { DecodedEvents } from '../formats/format.ts';
import { JsonTextOf } from '../message.ts';
import { anyValue, attributes } from './attributes.ts';
import {
  type ExportLogsServiceRequest,
  ExportLogsServiceRequestSchema,
} from './gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';
import type { LogRecord } from './gen/opentelemetry/proto/logs/v1/logs_pb.ts';
import type { IdText } from './ids.ts';
import { integerUnlessZero } from './numbers.ts';
import { resourceFields, scopeFields } from './origin.ts';
import { Records } from './records.ts';
import { requestReader } from './request.ts';
import { timestamp } from './timestamp.ts';

export const logs = requestReader(ExportLogsServiceRequestSchema, eventsOf);

function eventsOf(request: ExportLogsServiceRequest, idText: IdText): DecodedEvents {
  const records = new Records();
  for (const ofResource of request.resourceLogs) {
    const shared = resourceFields(ofResource);
    for (const ofScope of ofResource.scopeLogs) {
      const origin = scopeFields(shared, ofScope);
      for (const record of ofScope.logRecords) {
        records.add(eventOf(record, idText, origin));
      }
    }
  }
  return records.decoded;
}

function eventOf(record: LogRecord, idText: IdText, origin: Fields) {
  const body = anyValue(record.body);
  return {
    timestamp: timestamp(record.timeUnixNano, record.observedTimeUnixNano),
    event_message: messageOf(body, record.eventName),
    metadata: { type: 'otel_log' },
    body,
    event_name: record.eventName,
    severity_number: record.severityNumber,
    severity_text: record.severityText,
    attributes: attributes(record.attributes),
    dropped_attributes_count: record.droppedAttributesCount || undefined,
    observed_time: integerUnlessZero(record.observedTimeUnixNano),
    trace_id: idText(record.traceId),
    span_id: idText(record.spanId),
    flags: record.flags || undefined,
    ...origin,
  };
}

/** A body that is text; else the event's name; else the body's JSON text. */
function messageOf(body: unknown, eventName: string): unknown {
  if (typeof body === 'string' && body !== '') {
    return body;
  }
  if (eventName !== '') {
    return eventName;
  }
  return body === undefined || body === '' ? body : new JsonTextOf(body);
}
