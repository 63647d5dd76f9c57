/** A request for logs whose values are JSON already: what every reader makes of either encoding. */
import type { Fields } from '../../../../platform/json/fields.ts';
import type { LogRecord } from '../gen/opentelemetry/proto/logs/v1/logs_pb.ts';
import { anyValue, attributes } from './attributes.ts';
import type { IdText } from './ids.ts';
import type { ResourceInfo, ScopeInfo } from './resource-scope.ts';

export interface PlainLogs<Log = PlainLog> {
  readonly resourceLogs: readonly LogsOfResource<Log>[];
}

export interface LogsOfResource<Log = PlainLog> extends ResourceInfo {
  readonly scopeLogs: readonly LogsOfScope<Log>[];
}

export interface LogsOfScope<Log = PlainLog> extends ScopeInfo {
  readonly logRecords: readonly Log[];
}

/** A log record. Numbers are 0 and texts empty where it does not say. */
export interface PlainLog {
  /** Nanoseconds since the epoch. */
  readonly timeUnixNano: bigint;
  /** Nanoseconds since the epoch. */
  readonly observedTimeUnixNano: bigint;
  readonly severityNumber: number;
  readonly severityText: string;
  /** A JSON value; undefined for none. */
  readonly body: unknown;
  readonly attributes: Fields;
  readonly droppedAttributesCount: number;
  readonly flags: number;
  /** Lower-case hex. */
  readonly traceId: string;
  /** Lower-case hex. */
  readonly spanId: string;
  readonly eventName: string;
}

/** A record as protobuf-es reads it. */
export function plainLog(record: LogRecord, idText: IdText): PlainLog {
  return {
    timeUnixNano: record.timeUnixNano,
    observedTimeUnixNano: record.observedTimeUnixNano,
    severityNumber: record.severityNumber,
    severityText: record.severityText,
    body: anyValue(record.body),
    attributes: attributes(record.attributes),
    droppedAttributesCount: record.droppedAttributesCount,
    flags: record.flags,
    traceId: idText(record.traceId),
    spanId: idText(record.spanId),
    eventName: record.eventName,
  };
}
