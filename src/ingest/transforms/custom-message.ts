/** `custom_event_message_keys`: the fields that a message is made of (Logflare 1.50). */
import { jsonColumn, storedText } from '../../lake/rows/json-column.ts';
import type { NormalizedEvent } from '../normalize/normalized-event.ts';
import { ownField, parsePath } from './field-path.ts';

/** The text of one part of the message. */
type Part = (fields: NormalizedEvent['fields']) => string;

const MAX_KEYS = 50;

/** Names joined by dots, elements of lists behind them: `metadata.lines[0].text`. */
const KEY = /^\w+(?:\[\d+\])*(?:\.\w+(?:\[\d+\])*)*$/;

const MESSAGES = ['message', 'event_message'];

/** The parts of the message, in the order of the keys. */
export function parseMessageKeys(text: string): Part[] {
  return keysOf(text).map((key) => {
    if (key === 'id' || MESSAGES.includes(key)) {
      const name = key === 'id' ? key : 'event_message';
      return (fields) => (fields[name] === undefined ? '' : storedText(fields[name]));
    }
    const steps = parsePath(key).flatMap((name) => name.split(/[[\]]+/).filter(Boolean));
    return (fields) => jsonColumn(steps.reduce<unknown>(step, fields) ?? null).text;
  });
}

/** What is wrong with the setting, as its author is told. */
export function messageKeyFaults(text: string): string[] {
  const keys = keysOf(text);
  if (keys.length > MAX_KEYS) return [`has more than ${MAX_KEYS} keys`];
  return keys
    .filter((key) => !KEY.test(key))
    .map(
      (key) =>
        `cannot read ${JSON.stringify(key)}: a key has names joined by dots, and [0] for an element of a list`,
    );
}

export function customMessage(event: NormalizedEvent, parts: readonly Part[]): NormalizedEvent {
  const { fields } = event;
  const message = parts.map((part) => part(fields)).join(' | ');
  return { ...event, fields: { ...fields, event_message: message } };
}

function keysOf(text: string): string[] {
  return text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

function step(value: unknown, name: string): unknown {
  return Array.isArray(value)
    ? value[/^\d+$/.test(name) ? Number(name) : -1]
    : ownField(value, name);
}
