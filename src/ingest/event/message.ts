/** Which field of an event is its message. */

/**
 * Stands for the JSON text of a value that the event holds as well: most often the normalizer has
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
 * does not (Logflare 1.50). Else the text that loggers have under other names.
 */
export function pickMessage(event: Readonly<Record<string, unknown>>): unknown {
  const { message, event_message: eventMessage, log_entry: logEntry } = event;
  if (isPresent(message)) return message;
  if (isPresent(eventMessage)) return eventMessage;
  return isPresent(logEntry) ? logEntry : loggersText(event);
}

/** The event keeps the field, so a longer text would take its room twice. */
const MAX_COPIED_LENGTH = 100_000;

/** slog, zap and logrus; GELF; Docker and Kubernetes; whatever else. Values that are no text are data. */
function loggersText(event: Readonly<Record<string, unknown>>): string | undefined {
  const { msg, short_message: short, log, text } = event;
  if (isText(msg)) return msg;
  if (isText(short)) return short;
  return isText(log) ? log : isText(text) ? text : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_COPIED_LENGTH;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
