import { beforeAll, expect, test } from 'vitest';
import {
  bytes,
  logsBody,
  MICROS,
  metricsBody,
  NANOS,
  object,
  PROTOBUF,
  pair,
  SPAN_ID,
  string,
  TRACE_ID,
  tracesBody,
} from '../../ingest/formats/otlp/support.ts';
import type { Source } from '../support/client.ts';
import { shared, startService } from '../support/server.ts';

const service = shared(startService);
const ids = { traceId: bytes(TRACE_ID), spanId: bytes(SPAN_ID) };

let source: Source;
beforeAll(async () => {
  const { sluice } = service();
  source = await sluice.createSource('otel');
  await sluice.createEndpoint({
    name: 'otel.trace',
    query: `select t.event_message, t.timestamp, t.metadata.type, t.end_time - t.start_time as nanos,
              t.body.user.id as user, t.attributes._http_route as route
            from otel as t
            where t.trace_id = '${TRACE_ID}' and t.project = 'checkout'
              and t.resource._service_name = 'checkout'
            order by t.timestamp`,
  });
  await sluice.createEndpoint({
    name: 'otel.totals',
    query: `select t.event_message, sum(t.value) as total
            from otel as t where t.metric_type = 'sum' group by t.event_message`,
  });
  await sluice.createEndpoint({
    name: 'otel.buckets',
    query: `select sum(bucket) as observed from otel as t cross join unnest(t.bucket_counts) as bucket`,
  });
});

async function send(path: string, body: Uint8Array): Promise<void> {
  const { sluice } = service();
  const headers = { 'Content-Type': PROTOBUF, 'X-Source': source.token };
  expect(await sluice.post(path, body, headers)).toMatchObject({ status: 200, text: '' });
}

test('a span, its event and a log record of its trace are found together', async () => {
  const { sluice } = service();
  await send(
    '/v1/traces',
    tracesBody({
      ...ids,
      name: 'GET /cart',
      startTimeUnixNano: NANOS,
      endTimeUnixNano: NANOS + 17_000_001n,
      attributes: [pair('http.route', string('/cart'))],
      events: [{ timeUnixNano: NANOS + 1_000_000n, name: 'retry' }],
    }),
  );
  await send(
    '/v1/logs',
    logsBody({
      ...ids,
      timeUnixNano: NANOS + 2_000_000n,
      eventName: 'login',
      body: object(pair('user', object(pair('id', string('u1'))))),
    }),
  );

  expect(await sluice.rows('otel.trace')).toMatchObject([
    { event_message: 'GET /cart', type: 'span', nanos: 17_000_001, route: '/cart' },
    { event_message: 'retry', type: 'event', timestamp: MICROS + 1000 },
    { event_message: 'login', type: 'otel_log', user: 'u1' },
  ]);
});

test('data points can be added up', async () => {
  const { sluice } = service();
  const dataPoints = [1n, 2n, 3n].map((value) => ({ value: { case: 'asInt' as const, value } }));
  await send(
    '/v1/metrics',
    metricsBody(
      { name: 'requests', data: { case: 'sum', value: { dataPoints } } },
      {
        name: 'ms',
        data: { case: 'histogram', value: { dataPoints: [{ bucketCounts: [4n, 1n] }] } },
      },
    ),
  );

  expect(await sluice.rows('otel.totals')).toEqual([{ event_message: 'requests', total: 6 }]);
  expect(await sluice.rows('otel.buckets')).toEqual([{ observed: 5 }]);
});
