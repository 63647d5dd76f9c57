/** The fast decoder of logs in protobuf; see fast-path.ts. */
import { Fields } from '../../../../platform/json/fields.ts';
import type { LogsOfResource, LogsOfScope, PlainLog, PlainLogs } from '../values/log-records.ts';
import type { ResourceInfo, ScopeInfo } from '../values/resource-scope.ts';
import { FAST_LEVELS, NOT_FAST } from './fast-path.ts';
import { ProtobufReader } from './protobuf-reader.ts';
import { readAnyValue, readAttribute } from './protobuf-values.ts';

/** An `ExportLogsServiceRequest`; undefined where protobuf-es has to read it. */
export function plainLogsOfProtobuf(bytes: Uint8Array): PlainLogs | undefined {
  try {
    return readRequest(new ProtobufReader(bytes), bytes.length);
  } catch {
    // What is broken for this reader is read again, and then refused with the reason.
    return undefined;
  }
}

// Tags below are `number << 3 | wire type`.

function readRequest(reader: ProtobufReader, end: number): PlainLogs {
  const resourceLogs: LogsOfResource[] = [];
  while (reader.pos < end) {
    if (reader.tagByte() !== 0x0a) throw NOT_FAST;
    resourceLogs.push(readResourceLogs(reader, reader.endOf(end)));
  }
  return { resourceLogs };
}

function readResourceLogs(reader: ProtobufReader, end: number): LogsOfResource {
  let resource: ResourceInfo['resource'];
  const scopeLogs: LogsOfScope[] = [];
  let schemaUrl = '';
  while (reader.pos < end) {
    const tag = reader.tagByte();
    const inner = reader.endOf(end);
    if (tag === 0x0a && resource === undefined) {
      resource = readResource(reader, inner);
    } else if (tag === 0x12) {
      scopeLogs.push(readScopeLogs(reader, inner));
    } else if (tag === 0x1a) {
      schemaUrl = reader.text(inner);
    } else {
      throw NOT_FAST;
    }
  }
  reader.expectEnd(end);
  return { resource, scopeLogs, schemaUrl };
}

function readResource(reader: ProtobufReader, end: number): ResourceInfo['resource'] {
  const attributes = new Fields();
  let droppedAttributesCount = 0;
  while (reader.pos < end) {
    const tag = reader.tagByte();
    if (tag === 0x0a) {
      readAttribute(reader, reader.endOf(end), attributes, FAST_LEVELS);
    } else if (tag === 0x10) {
      droppedAttributesCount = reader.uint32();
    } else {
      throw NOT_FAST;
    }
  }
  reader.expectEnd(end);
  return { attributes, droppedAttributesCount };
}

function readScopeLogs(reader: ProtobufReader, end: number): LogsOfScope {
  let scope: ScopeInfo['scope'];
  const logRecords: PlainLog[] = [];
  let schemaUrl = '';
  while (reader.pos < end) {
    const tag = reader.tagByte();
    const inner = reader.endOf(end);
    if (tag === 0x0a && scope === undefined) {
      scope = readScope(reader, inner);
    } else if (tag === 0x12) {
      logRecords.push(readLog(reader, inner));
    } else if (tag === 0x1a) {
      schemaUrl = reader.text(inner);
    } else {
      throw NOT_FAST;
    }
  }
  reader.expectEnd(end);
  return { scope, logRecords, schemaUrl };
}

function readScope(reader: ProtobufReader, end: number): ScopeInfo['scope'] {
  let name = '';
  let version = '';
  const attributes = new Fields();
  let droppedAttributesCount = 0;
  while (reader.pos < end) {
    switch (reader.tagByte()) {
      case 0x0a:
        name = reader.text(reader.endOf(end));
        break;
      case 0x12:
        version = reader.text(reader.endOf(end));
        break;
      case 0x1a:
        readAttribute(reader, reader.endOf(end), attributes, FAST_LEVELS);
        break;
      case 0x20:
        droppedAttributesCount = reader.uint32();
        break;
      default:
        throw NOT_FAST;
    }
  }
  reader.expectEnd(end);
  return { name, version, attributes, droppedAttributesCount };
}

function readLog(reader: ProtobufReader, end: number): PlainLog {
  let timeUnixNano = 0n;
  let observedTimeUnixNano = 0n;
  let severityNumber = 0;
  let severityText = '';
  let hasBody = false;
  let body: unknown;
  const attributes = new Fields();
  let droppedAttributesCount = 0;
  let flags = 0;
  let traceId = '';
  let spanId = '';
  let eventName = '';
  while (reader.pos < end) {
    switch (reader.tagByte()) {
      case 0x09:
        timeUnixNano = reader.fixed64() as bigint;
        break;
      case 0x10:
        severityNumber = reader.int32();
        break;
      case 0x1a:
        severityText = reader.text(reader.endOf(end));
        break;
      case 0x2a:
        if (hasBody) throw NOT_FAST;
        hasBody = true;
        body = readAnyValue(reader, reader.endOf(end), FAST_LEVELS);
        break;
      case 0x32:
        readAttribute(reader, reader.endOf(end), attributes, FAST_LEVELS);
        break;
      case 0x38:
        droppedAttributesCount = reader.uint32();
        break;
      case 0x45:
        flags = reader.fixed32();
        break;
      case 0x4a:
        traceId = reader.hex(reader.endOf(end));
        break;
      case 0x52:
        spanId = reader.hex(reader.endOf(end));
        break;
      case 0x59:
        observedTimeUnixNano = reader.fixed64() as bigint;
        break;
      case 0x62:
        eventName = reader.text(reader.endOf(end));
        break;
      default:
        throw NOT_FAST;
    }
  }
  reader.expectEnd(end);
  return {
    timeUnixNano,
    observedTimeUnixNano,
    severityNumber,
    severityText,
    body,
    attributes,
    droppedAttributesCount,
    flags,
    traceId,
    spanId,
    eventName,
  };
}
