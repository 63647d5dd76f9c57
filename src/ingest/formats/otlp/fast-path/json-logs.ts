/** The fast decoder of logs in OTLP/JSON; see fast-path.ts. */
import { Fields } from '../../../../platform/json/fields.ts';
import type { LogsOfResource, LogsOfScope, PlainLog, PlainLogs } from '../values/log-records.ts';
import type { ResourceInfo, ScopeInfo } from '../values/resource-scope.ts';
import { NOT_FAST, orFallback } from './fast-path.ts';
import {
  anyValueOf,
  attributesOf,
  idOf,
  listOf,
  nanosOf,
  objectOf,
  severityOf,
  textOf,
  uint32Of,
} from './json-values.ts';

/** An `ExportLogsServiceRequest`; undefined where protobuf-es has to read it. */
export function plainLogsOfJson(json: unknown): PlainLogs | undefined {
  return orFallback(() => requestOf(json));
}

function requestOf(json: unknown): PlainLogs {
  const object = objectOf(json);
  let resourceLogs: readonly LogsOfResource[] = [];
  for (const name in object) {
    if (name !== 'resourceLogs') throw NOT_FAST;
    resourceLogs = listOf(object[name]).map(logsOfResource);
  }
  return { resourceLogs };
}

function logsOfResource(json: unknown): LogsOfResource {
  const object = objectOf(json);
  let resource: ResourceInfo['resource'];
  let scopeLogs: readonly LogsOfScope[] = [];
  let schemaUrl = '';
  for (const name in object) {
    const value = object[name];
    switch (name) {
      case 'resource':
        resource = resourceOf(value);
        break;
      case 'scopeLogs':
        scopeLogs = listOf(value).map(logsOfScope);
        break;
      case 'schemaUrl':
        schemaUrl = textOf(value);
        break;
      default:
        throw NOT_FAST;
    }
  }
  return { resource, scopeLogs, schemaUrl };
}

function resourceOf(json: unknown): ResourceInfo['resource'] {
  const object = objectOf(json);
  let attributes = new Fields();
  let droppedAttributesCount = 0;
  for (const name in object) {
    const value = object[name];
    switch (name) {
      case 'attributes':
        attributes = attributesOf(value);
        break;
      case 'droppedAttributesCount':
        droppedAttributesCount = uint32Of(value);
        break;
      default:
        throw NOT_FAST;
    }
  }
  return { attributes, droppedAttributesCount };
}

function logsOfScope(json: unknown): LogsOfScope {
  const object = objectOf(json);
  let scope: ScopeInfo['scope'];
  let logRecords: readonly PlainLog[] = [];
  let schemaUrl = '';
  for (const name in object) {
    const value = object[name];
    switch (name) {
      case 'scope':
        scope = scopeOf(value);
        break;
      case 'logRecords':
        logRecords = listOf(value).map(logOf);
        break;
      case 'schemaUrl':
        schemaUrl = textOf(value);
        break;
      default:
        throw NOT_FAST;
    }
  }
  return { scope, logRecords, schemaUrl };
}

function scopeOf(json: unknown): ScopeInfo['scope'] {
  const object = objectOf(json);
  let name = '';
  let version = '';
  let attributes = new Fields();
  let droppedAttributesCount = 0;
  for (const key in object) {
    const value = object[key];
    switch (key) {
      case 'name':
        name = textOf(value);
        break;
      case 'version':
        version = textOf(value);
        break;
      case 'attributes':
        attributes = attributesOf(value);
        break;
      case 'droppedAttributesCount':
        droppedAttributesCount = uint32Of(value);
        break;
      default:
        throw NOT_FAST;
    }
  }
  return { name, version, attributes, droppedAttributesCount };
}

function logOf(json: unknown): PlainLog {
  const object = objectOf(json);
  let timeUnixNano = 0n;
  let observedTimeUnixNano = 0n;
  let severityNumber = 0;
  let severityText = '';
  let body: unknown;
  let attributes: Fields | undefined;
  let droppedAttributesCount = 0;
  let flags = 0;
  let traceId = '';
  let spanId = '';
  let eventName = '';
  for (const name in object) {
    const value = object[name];
    switch (name) {
      case 'timeUnixNano':
        timeUnixNano = nanosOf(value);
        break;
      case 'observedTimeUnixNano':
        observedTimeUnixNano = nanosOf(value);
        break;
      case 'severityNumber':
        severityNumber = severityOf(value);
        break;
      case 'severityText':
        severityText = textOf(value);
        break;
      case 'body':
        body = anyValueOf(value);
        break;
      case 'attributes':
        attributes = attributesOf(value);
        break;
      case 'droppedAttributesCount':
        droppedAttributesCount = uint32Of(value);
        break;
      case 'flags':
        flags = uint32Of(value);
        break;
      case 'traceId':
        traceId = idOf(value);
        break;
      case 'spanId':
        spanId = idOf(value);
        break;
      case 'eventName':
        eventName = textOf(value);
        break;
      default:
        throw NOT_FAST;
    }
  }
  return {
    timeUnixNano,
    observedTimeUnixNano,
    severityNumber,
    severityText,
    body,
    attributes: attributes ?? new Fields(),
    droppedAttributesCount,
    flags,
    traceId,
    spanId,
    eventName,
  };
}
