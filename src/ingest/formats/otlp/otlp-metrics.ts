import { otlpFormat } from './format.ts';

/** OpenTelemetry metrics: every data point is an event. */
export const otlpMetricsFormat = otlpFormat({
  path: '/v1/metrics',
  names: { record: 'data point', rejected: 'rejectedDataPoints' },
  load: async () => (await import('./metrics.ts')).metrics,
});
