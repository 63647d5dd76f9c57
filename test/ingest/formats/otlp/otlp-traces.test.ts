import { describe, expect, test } from 'vitest';
import type {
  Span_SpanKind,
  Status_StatusCode,
} from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/trace/v1/trace_pb.ts';
import { Harness, NOW_US } from '../../support.ts';
import {
  bytes,
  int,
  MICROS,
  NANOS,
  ORIGIN,
  PARENT_SPAN_ID,
  PROTOBUF,
  pair,
  SPAN_ID,
  type SpanInit,
  stored,
  string,
  TRACE_ID,
  tracesBody,
} from './support.ts';

const SPAN: SpanInit = {
  traceId: bytes(TRACE_ID),
  spanId: bytes(SPAN_ID),
  parentSpanId: bytes(PARENT_SPAN_ID),
  name: 'GET /cart',
  kind: 2,
  startTimeUnixNano: NANOS,
  endTimeUnixNano: NANOS + 17_000_000n,
};

function storedSpans(...spans: SpanInit[]) {
  return stored('/v1/traces', tracesBody(...spans));
}

describe('a span', () => {
  test('is stored with all it says', async () => {
    const [event] = await storedSpans({
      ...SPAN,
      traceState: 'a=1',
      attributes: [pair('http.route', string('/cart'))],
      flags: 257,
      droppedAttributesCount: 1,
      droppedEventsCount: 2,
      droppedLinksCount: 3,
      status: { code: 2, message: 'card declined' },
      links: [
        {
          traceId: bytes(TRACE_ID),
          spanId: bytes(PARENT_SPAN_ID),
          traceState: 'b=2',
          attributes: [pair('n', int(1n))],
          droppedAttributesCount: 4,
          flags: 1,
        },
      ],
    });

    expect(event).toEqual({
      id: expect.any(String),
      timestamp: MICROS,
      event_message: 'GET /cart',
      metadata: { type: 'span' },
      trace_id: TRACE_ID,
      span_id: SPAN_ID,
      parent_span_id: PARENT_SPAN_ID,
      trace_state: 'a=1',
      kind: 'Server',
      start_time: expect.any(Number),
      end_time: expect.any(Number),
      attributes: { _http_route: '/cart' },
      status: { code: 'Error', message: 'card declined' },
      links: [
        {
          trace_id: TRACE_ID,
          span_id: PARENT_SPAN_ID,
          trace_state: 'b=2',
          attributes: { n: 1 },
          dropped_attributes_count: 4,
          flags: 1,
        },
      ],
      flags: 257,
      dropped_attributes_count: 1,
      dropped_events_count: 2,
      dropped_links_count: 3,
      ...ORIGIN,
    });
  });

  test('keeps its start and end to the nanosecond', async () => {
    const harness = new Harness();
    await harness.post(tracesBody(SPAN), '/v1/traces', { contentType: PROTOBUF });
    const { body } = JSON.parse(harness.rows[0] ?? '');
    expect(body).toContain(`"start_time":${NANOS},"end_time":${NANOS + 17_000_000n}`);
  });

  test('has no fields for what it does not say', async () => {
    expect(await storedSpans({ name: 'a', startTimeUnixNano: NANOS, status: {} })).toEqual([
      {
        id: expect.any(String),
        timestamp: MICROS,
        event_message: 'a',
        metadata: { type: 'span' },
        kind: 'Unspecified',
        start_time: expect.any(Number),
        ...ORIGIN,
      },
    ]);
  });

  test.each<[Span_SpanKind, string]>([
    [0, 'Unspecified'],
    [1, 'Internal'],
    [2, 'Server'],
    [3, 'Client'],
    [4, 'Producer'],
    [5, 'Consumer'],
    [9 as Span_SpanKind, '9'],
  ])('fact 137: of kind %i is %s', async (kind, name) => {
    expect(await storedSpans({ ...SPAN, kind })).toMatchObject([{ kind: name }]);
  });

  test.each<[NonNullable<SpanInit['status']>, object]>([
    [{ code: 1 }, { code: 'Ok' }],
    [{ code: 2 }, { code: 'Error' }],
    [{ message: 'odd' }, { code: 'Unset', message: 'odd' }],
    [{ code: 7 as Status_StatusCode }, { code: '7' }],
  ])('of status %j has %j', async (status, expected) => {
    expect(await storedSpans({ ...SPAN, status })).toMatchObject([{ status: expected }]);
  });

  test('without a start has the time of its end, without both that of arrival', async () => {
    const ended = { name: 'a', endTimeUnixNano: NANOS };
    expect(await storedSpans(ended, { name: 'b' })).toMatchObject([
      { timestamp: MICROS },
      { timestamp: NOW_US },
    ]);
  });

  test('may have come as JSON, with ids in hex', async () => {
    const span = {
      traceId: TRACE_ID,
      spanId: SPAN_ID,
      parentSpanId: PARENT_SPAN_ID,
      name: 'job',
      kind: 'SPAN_KIND_CLIENT',
      startTimeUnixNano: `${NANOS}`,
      events: [{ timeUnixNano: `${NANOS}`, name: 'tick' }],
      links: [{ traceId: TRACE_ID, spanId: SPAN_ID }],
      status: { code: 'STATUS_CODE_OK' },
    };
    const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
    expect(await stored('/v1/traces', body)).toMatchObject([
      {
        timestamp: MICROS,
        kind: 'Client',
        trace_id: TRACE_ID,
        span_id: SPAN_ID,
        parent_span_id: PARENT_SPAN_ID,
        links: [{ trace_id: TRACE_ID, span_id: SPAN_ID }],
        status: { code: 'Ok' },
      },
      { trace_id: TRACE_ID, parent_span_id: SPAN_ID },
    ]);
  });
});

describe('an event in a span', () => {
  test('fact 136: is an event of its own, of the same trace', async () => {
    const events = await storedSpans({
      ...SPAN,
      events: [
        {
          timeUnixNano: NANOS + 1_000_000n,
          name: 'exception',
          attributes: [pair('exception.type', string('Timeout'))],
          droppedAttributesCount: 5,
        },
      ],
    });

    expect(events).toHaveLength(2);
    expect(events[1]).toEqual({
      id: expect.any(String),
      timestamp: MICROS + 1000,
      event_message: 'exception',
      metadata: { type: 'event' },
      trace_id: TRACE_ID,
      parent_span_id: SPAN_ID,
      attributes: { _exception_type: 'Timeout' },
      dropped_attributes_count: 5,
      ...ORIGIN,
    });
  });

  test('fact 138: has the id of its span as parent, in lower case as everywhere', async () => {
    const spanId = bytes('ABCDEF0123456789');
    const events = await storedSpans({ ...SPAN, spanId, events: [{ name: 'a' }] });
    expect(events).toMatchObject([
      { span_id: 'abcdef0123456789' },
      { parent_span_id: 'abcdef0123456789' },
    ]);
  });

  test('without a time has that of its span', async () => {
    const events = await storedSpans({ ...SPAN, events: [{ name: 'a' }] });
    expect(events).toMatchObject([{ timestamp: MICROS }, { timestamp: MICROS }]);
  });
});
