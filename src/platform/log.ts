import type { Clock } from './clock.ts';

/** Structured log line writer. Fields must never hold event contents. */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A {@link Logger} that can also say what only a person looking for a fault wants to read. */
export interface LeveledLogger extends Logger {
  debug(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  readonly clock: Clock;
  /** Lines below this level are not written; `info` when left out. */
  readonly level?: LogLevel;
  /** Receives each line with its newline; `warn` and `error` go to stderr when left out. */
  readonly write?: (line: string, level: LogLevel) => void;
}

/** Writes one JSON object per line: `time` (RFC 3339, UTC), `level`, `message`, then the fields. */
export function createLogger(options: LoggerOptions): LeveledLogger {
  const { clock, level: threshold = 'info', write = writeToProcess } = options;
  const lowest = LOG_LEVELS.indexOf(threshold);
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(level) < lowest) return;
      const head = { time: new Date(clock.now()).toISOString(), level, message };
      write(`${serialise(head, fields)}\n`, level);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function writeToProcess(line: string, level: LogLevel): void {
  const stream = level === 'warn' || level === 'error' ? process.stderr : process.stdout;
  stream.write(line);
}

/** The head comes last into the object so that no field can forge the level or the message. */
function serialise(head: LogFields, fields: LogFields): string {
  try {
    return JSON.stringify({ ...head, ...fields, ...head }, replaceUnserialisable);
  } catch (error) {
    // A cyclic field must cost the fields, not the line, nor the request that wrote it.
    return JSON.stringify({ ...head, log_error: String(error) });
  }
}

function replaceUnserialisable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error) return describeError(value);
  return value;
}

/** Own fields such as `code` are kept: system errors and ServiceError say the essential there. */
function describeError(error: Error): LogFields {
  const { name, message, stack, cause } = error;
  const described = { ...error, name, message, stack };
  return cause === undefined ? described : { ...described, cause };
}
