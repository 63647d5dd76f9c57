/** Which field of an event is its message. */

/**
 * Stands for the JSON text of a value that the event holds as well: most often the normaliser has
 * that text at hand anyway.
 */
export class JsonTextOf {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * `message`, else `event_message`, else `log_entry`; null and false count as absent, an empty string
 * does not (Logflare 1.50).
 */
export function pickMessage(event: Readonly<Record<string, unknown>>): unknown {
  const { message, event_message: eventMessage, log_entry: logEntry } = event;
  if (isPresent(message)) {
    return message;
  }
  return isPresent(eventMessage) ? eventMessage : isPresent(logEntry) ? logEntry : undefined;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
