import type { Clock } from '../../src/platform/clock.ts';
import type { LogFields, Logger } from '../../src/platform/log.ts';

/** 2026-01-02T03:04:05.678Z, at every call. */
export const fixedClock: Clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) };

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps its lines. */
export function recordingLogger(): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields });
    };
  return { logger: { info: at('info'), warn: at('warn'), error: at('error') }, lines };
}
