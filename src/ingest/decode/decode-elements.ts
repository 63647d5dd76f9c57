import { isPlainObject } from '../../platform/json/json.ts';
import { sourceHint } from './body-source.ts';
import type { DecodedEvents, DecodeInput } from './format.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A body as a list: one element stands for a list of one. */
export function listOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

/** The event of an element; what is no object stays as it is, to be refused by its index. */
export function eventsOf(
  elements: readonly unknown[],
  toEvent: (element: JsonObject) => unknown,
): readonly unknown[] {
  return elements.map((element) => (isPlainObject(element) ? toEvent(element) : element));
}

/** Decodes a body that is an element or a list of them, each the stuff of one event. */
export function decodeElements(toEvent: (element: JsonObject) => unknown) {
  return ({ body }: DecodeInput): DecodedEvents => ({
    events: eventsOf(listOf(body), toEvent),
    ...sourceHint(body),
  });
}
