import { otlpFormat } from '../otlp/format.ts';

/** OpenTelemetry logs: every log record is an event. */
export const otlpLogsFormat = otlpFormat({
  path: '/v1/logs',
  names: { record: 'log record', rejected: 'rejectedLogRecords' },
  load: async () => (await import('../otlp/logs.ts')).logs,
});
