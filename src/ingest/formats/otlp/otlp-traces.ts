import { otlpFormat } from './format.ts';

/** OpenTelemetry traces: every span is an event, and so is every event in it. */
export const otlpTracesFormat = otlpFormat({
  path: '/v1/traces',
  names: { record: 'span', rejected: 'rejectedSpans' },
  load: async () => (await import('./traces.ts')).traces,
});
