import { createHash } from 'node:crypto';
import type { Endpoint, ParameterType } from '../catalog/types.ts';
import type { ParameterValue } from '../sql/compile.ts';
import type { BoundParameters } from './parameters.ts';

/** What a caller asks of an endpoint's tables, and in which language. */
export interface ConsumerQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** Everything that decides the rows of a call, and nothing that does not. */
export interface CallPlan {
  readonly endpoint: Endpoint;
  /** The endpoints that its text reads as tables, at any depth. */
  readonly composed: readonly Endpoint[];
  /** The caller's own query over the endpoint's CTEs. */
  readonly consumer: ConsumerQuery | undefined;
  /** Exactly the parameters that the texts use. */
  readonly parameters: BoundParameters;
}

/**
 * Key of a plan's rows: 64 hexadecimal digits. Who asks, by which route, with which unused inputs,
 * and whether the answer is redacted, is no part of it.
 */
export function planKey({ endpoint, composed, parameters, consumer }: CallPlan): string {
  return digest([
    endpoint.token,
    endpoint.version,
    composed.map(({ token, version }) => [token, version]),
    encodeParameters(parameters),
    consumer === undefined ? null : [consumer.language, consumer.text],
  ]);
}

/**
 * The engine's idempotency token for one run of a plan. It names the start of the run, because equal
 * statements at different times read different data, and the text, because Athena refuses a token
 * that comes back with another statement.
 */
export function runToken(key: string, startedAt: number, text: string): string {
  return digest([key, startedAt, text]);
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Parameters as text, the same for equal values in any order; {@link decodeParameters} undoes it. */
export function encodeParameters(parameters: BoundParameters): string {
  const cells = Object.entries(parameters).map(([name, { type, value }]) => [
    name,
    type,
    value === null ? null : String(value),
  ]);
  return JSON.stringify(cells.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Undoes {@link encodeParameters}; its text comes from our own table, so its shape is given. */
export function decodeParameters(text: string): BoundParameters {
  const cells = JSON.parse(text) as [string, ParameterType, string | null][];
  return Object.fromEntries(cells.map(([name, type, value]) => [name, decodeValue(type, value)]));
}

function decodeValue(type: ParameterType, text: string | null): ParameterValue {
  if (text === null) return { type, value: null };
  switch (type) {
    case 'string':
      return { type, value: text };
    case 'int64':
      return { type, value: BigInt(text) };
    case 'bool':
      return { type, value: text === 'true' };
    case 'float64':
    case 'timestamp':
      return { type, value: Number(text) };
  }
}
