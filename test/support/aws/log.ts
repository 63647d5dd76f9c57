import type { LogFields, Logger } from '../../../src/platform/log.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps log lines for a test to read. */
export class LogRecorder implements Logger {
  readonly lines: LogLine[] = [];

  info(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }

  at(level: LogLine['level']): LogLine[] {
    return this.lines.filter((line) => line.level === level);
  }

  get text(): string {
    return JSON.stringify(this.lines);
  }
}
