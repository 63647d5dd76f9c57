/** Log records as events (Logflare 1.50). */
import type { Fields } from '../../../platform/json/fields.ts';
import type { DecodedEvents } from '../../decode/format.ts';
import { JsonTextOf } from '../../event/message.ts';
import { EventCollector } from './event-collector.ts';
import { plainLogsOfJson } from './fast-path/json-logs.ts';
import { plainLogsOfProtobuf } from './fast-path/protobuf-logs.ts';
import {
  type ExportLogsServiceRequest,
  ExportLogsServiceRequestSchema,
} from './gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';
import { requestReader } from './request.ts';
import type { IdText } from './values/ids.ts';
import { type PlainLog, type PlainLogs, plainLog } from './values/log-records.ts';
import { timestamp } from './values/nanoseconds.ts';
import { integerUnlessZero } from './values/numbers.ts';
import { resourceFields, scopeFields } from './values/resource-scope.ts';

export const logs = requestReader(ExportLogsServiceRequestSchema, eventsOfMessages, {
  fromProtobuf: (bytes) => eventsOfPlain(plainLogsOfProtobuf(bytes)),
  fromJson: (json) => eventsOfPlain(plainLogsOfJson(json)),
});

/** The events of a request as protobuf-es reads it. */
export function eventsOfMessages(request: ExportLogsServiceRequest, idText: IdText): DecodedEvents {
  return eventsOf(request, (record) => plainLog(record, idText));
}

function eventsOfPlain(request: PlainLogs | undefined): DecodedEvents | undefined {
  return request && eventsOf(request, (log) => log);
}

function eventsOf<Log>(request: PlainLogs<Log>, plain: (log: Log) => PlainLog): DecodedEvents {
  const records = new EventCollector();
  for (const ofResource of request.resourceLogs) {
    const shared = resourceFields(ofResource);
    for (const ofScope of ofResource.scopeLogs) {
      const origin = scopeFields(shared, ofScope);
      for (const record of ofScope.logRecords) records.add(eventOf(plain(record), origin));
    }
  }
  return records.decoded;
}

function eventOf(record: PlainLog, origin: Fields) {
  const { body } = record;
  return {
    timestamp: timestamp(record.timeUnixNano, record.observedTimeUnixNano),
    event_message: messageOf(body, record.eventName),
    metadata: { type: 'otel_log' },
    body,
    event_name: record.eventName,
    severity_number: record.severityNumber,
    severity_text: record.severityText,
    attributes: record.attributes,
    dropped_attributes_count: record.droppedAttributesCount || undefined,
    observed_time: integerUnlessZero(record.observedTimeUnixNano),
    trace_id: record.traceId,
    span_id: record.spanId,
    flags: record.flags || undefined,
    ...origin,
  };
}

/** A body that is text; else the event's name; else the body's JSON text. */
function messageOf(body: unknown, eventName: string): unknown {
  if (typeof body === 'string' && body !== '') return body;
  if (eventName !== '') return eventName;
  return body === undefined || body === '' ? body : new JsonTextOf(body);
}
