// Logs, traces and metrics of one program, as the exporters' documentation sets them up.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const { SLUICE_URL, SLUICE_KEY, SLUICE_SOURCE, SLUICE_ENCODING, SLUICE_COMPRESSION } = process.env;

const { OTLPLogExporter } = await import(`@opentelemetry/exporter-logs-otlp-${SLUICE_ENCODING}`);
const { OTLPTraceExporter } = await import(`@opentelemetry/exporter-trace-otlp-${SLUICE_ENCODING}`);
const { OTLPMetricExporter } = await import(
  `@opentelemetry/exporter-metrics-otlp-${SLUICE_ENCODING}`
);

const options = (path) => ({
  url: `${SLUICE_URL}${path}`,
  headers: { 'x-api-key': SLUICE_KEY, 'x-source': SLUICE_SOURCE },
  compression: SLUICE_COMPRESSION,
});
const resource = resourceFromAttributes({ 'service.name': 'shop', 'service.version': '1.2.3' });

const loggers = new LoggerProvider({
  resource,
  processors: [
    new BatchLogRecordProcessor({
      exporter: new OTLPLogExporter(options('/v1/logs')),
      maxExportBatchSize: 100,
    }),
  ],
});
const logger = loggers.getLogger('cart', '0.1.0');
for (let number = 0; number < 250; number += 1) {
  logger.emit({
    severityNumber: SeverityNumber.INFO,
    severityText: 'INFO',
    body: `log ${number}`,
    attributes: { number, 'log.type': 'custom', tags: ['a', 'b'] },
  });
}
logger.emit({
  severityNumber: SeverityNumber.ERROR,
  body: { user: { name: 'Zoë' }, items: [1, 2.5] },
  eventName: 'cart.failed',
});

const tracers = new BasicTracerProvider({
  resource,
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(options('/v1/traces')))],
});
const tracer = tracers.getTracer('cart', '0.1.0');
for (let number = 0; number < 50; number += 1) {
  const parent = tracer.startSpan(`span ${number}`, { kind: SpanKind.SERVER }, ROOT_CONTEXT);
  const inside = trace.setSpan(ROOT_CONTEXT, parent);
  const child = tracer.startSpan(`child ${number}`, { attributes: { number } }, inside);
  child.addEvent(`event ${number}`, { attempt: 1 });
  child.setStatus({ code: SpanStatusCode.ERROR, message: 'timed out' });
  child.end();
  parent.end();
}

const meters = new MeterProvider({
  resource,
  readers: [
    new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(options('/v1/metrics')),
      // Nothing is exported before the end.
      exportIntervalMillis: 3_600_000,
    }),
  ],
});
const meter = meters.getMeter('cart', '0.1.0');
const orders = meter.createCounter('orders', { unit: '{order}', description: 'Orders placed' });
for (const country of ['FR', 'DE', 'FR']) orders.add(2, { country });
meter.createHistogram('duration', { unit: 'ms' }).record(12.5);
meter.createObservableGauge('queue').addCallback((result) => result.observe(7));

await Promise.all([loggers.shutdown(), tracers.shutdown(), meters.shutdown()]);
