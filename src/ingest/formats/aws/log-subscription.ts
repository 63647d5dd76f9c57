/** What subscription filters of CloudWatch Logs deliver (CloudWatch Logs user guide). */

import type { Fields } from '../../../platform/json/fields.ts';
import { isPlainObject, stringifyJson } from '../../../platform/json/json.ts';
import { EmbeddedJson } from '../../decode/embedded-json.ts';
import type { EventBatch } from '../../event/event-batch.ts';
import { withFallback } from '../../event/fallback-event.ts';
import type { ValueBudget } from '../../event/max-values.ts';
import { parseLambdaLog } from './lambda-log.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One delivery: events of one log stream. */
export interface LogSubscription {
  /** Stored with every event. */
  readonly origin: Readonly<Fields>;
  /** Fields that CloudWatch Logs did not have when this was written. */
  readonly others: Readonly<Fields>;
  readonly events: readonly unknown[];
}

/** CloudWatch Logs allows 512 characters for each name, and 2 filters on a log group. */
const MAX_NAME_LENGTH = 512;
const MAX_FILTERS = 10;
/** An id of CloudWatch Logs has 56 digits. */
const MAX_ID_LENGTH = 128;

/**
 * A delivery, if that is what an object is. A control message, by which CloudWatch Logs finds out
 * whether a destination can be reached, has no events.
 */
export function logSubscription(value: JsonObject): LogSubscription | undefined {
  const { messageType, owner, logGroup, logStream, subscriptionFilters, ...rest } = value;
  const { policyLevel, logEvents, ...others } = rest;
  if (messageType === 'CONTROL_MESSAGE') return { origin: {}, others: {}, events: [] };
  const filters = Array.isArray(subscriptionFilters) ? subscriptionFilters : [];
  const names = [owner, logGroup, logStream, policyLevel, ...filters];
  if (
    messageType !== 'DATA_MESSAGE' ||
    !Array.isArray(logEvents) ||
    filters.length > MAX_FILTERS ||
    !names.every(isName)
  ) {
    return undefined;
  }
  const origin = {
    owner,
    log_group: logGroup,
    log_stream: logStream,
    subscription_filters: filters,
    policy_level: policyLevel,
  };
  return { origin, others, events: logEvents };
}

/**
 * Adds the events of a delivery. What they say in JSON, or in Lambda's text format, is taken out of
 * the message.
 *
 * @param shared fields that every event gets.
 */
export function addLogEvents(
  { origin, others, events }: LogSubscription,
  batch: EventBatch,
  shared: Readonly<Fields> = {},
): void {
  const repeated = stringifyJson({ origin, others, shared }).length;
  for (const event of events) {
    batch.add(logEvent(event, { origin, others, shared }, batch.budget), repeated);
  }
}

interface Surroundings {
  readonly origin: Readonly<Fields>;
  readonly others: Readonly<Fields>;
  readonly shared: Readonly<Fields>;
}

function logEvent(
  event: unknown,
  { origin, others, shared }: Surroundings,
  budget: ValueBudget,
): unknown {
  if (!isPlainObject(event)) {
    const text = stringifyJson(event);
    const problem = 'not a log event';
    return withFallback(
      { ...shared, metadata: origin, event_message: text, ingest_problem: problem },
      () => text,
      { ...shared, metadata: origin },
    );
  }
  const { id, timestamp, message, extractedFields, ...more } = event;
  const text = typeof message === 'string' ? message : stringifyJson(message ?? event);
  const { level, ...parts } = partsOf(text, budget);
  const unknown = { ...others, ...more };
  const metadata = {
    ...origin,
    level,
    extracted_fields: extractedFields,
    ...parts,
    other_fields: unknown,
  };
  const hasId = typeof id === 'string' && id.length <= MAX_ID_LENGTH;
  const kept = { ...shared, timestamp, metadata: origin, ...(hasId && { id }) };
  return withFallback({ ...kept, event_message: text, metadata }, () => text, kept);
}

/** `json` of a message that is an object, `lambda` of one in Lambda's text format, and the `level`. */
function partsOf(message: string, budget: ValueBudget): Fields {
  if (message.trimStart().startsWith('{')) {
    const json = new EmbeddedJson(budget).split(message)?.data;
    return isPlainObject(json) ? { level: levelOf(json), json } : {};
  }
  const lambda = parseLambdaLog(message, budget);
  return lambda === undefined ? {} : { level: lambda.level, lambda };
}

function levelOf({ level }: JsonObject): string | undefined {
  return typeof level === 'string' ? level.toLowerCase() : undefined;
}

function isName(name: unknown): boolean {
  return name === undefined || (typeof name === 'string' && name.length <= MAX_NAME_LENGTH);
}
