import { otlpFormat } from './format.ts';

/** OpenTelemetry logs: every log record is an event. */
export const otlpLogsFormat = otlpFormat({
  path: '/v1/logs',
  names: { record: 'log record', rejected: 'rejectedLogRecords' },
  load: async () => (await import('./logs.ts')).logs,
});
