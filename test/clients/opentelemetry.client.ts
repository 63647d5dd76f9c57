import { expect, test } from 'vitest';
import type { Row } from '../e2e/support/client.ts';
import { startFaultyGateway } from './support/faulty-gateway.ts';
import { run } from './support/run.ts';
import { createInbox, type Inbox, numbered, shared, startedProgram } from './support/service.ts';

const service = shared(startedProgram);

const EXPORTERS = [
  { encoding: 'http', compression: 'none' },
  { encoding: 'http', compression: 'gzip' },
  { encoding: 'proto', compression: 'none' },
  { encoding: 'proto', compression: 'gzip' },
];

/** The events of one kind, by message: `otel_log`, `span`, `event`, `metric`. */
async function eventsOf(inbox: Inbox, type: string, fields: string): Promise<readonly Row[]> {
  const { sluice } = service();
  const name = `${inbox.source.name}.${type}`;
  await sluice.createEndpoint({
    name,
    max_limit: 10_000,
    query: `select t.event_message, t.timestamp, t.project, t.resource, t.scope, ${fields}
            from \`${inbox.source.name}\` as t where t.metadata.type = '${type}'
            order by t.event_message`,
  });
  return sluice.rows(name);
}

function named(rows: readonly Row[], message: string): readonly Row[] {
  return rows.filter(({ event_message }) => event_message === message);
}

const ORIGIN = {
  project: 'shop',
  resource: { _service_name: 'shop', _service_version: '1.2.3' },
  scope: { name: 'cart', version: '0.1.0' },
};

test.each(EXPORTERS)(
  "OpenTelemetry's exporters deliver logs, traces and metrics ($encoding, $compression)",
  async ({ encoding, compression }) => {
    const { sluice } = service();
    const inbox = await createInbox(sluice, `otel.${encoding}_${compression}`);
    const begun = Date.now() * 1000;

    await run('opentelemetry.js', {
      url: sluice.url,
      key: inbox.key,
      source: inbox.source.token,
      encoding,
      compression,
    });

    const ended = Date.now() * 1000;
    const inTime = ({ timestamp }: Row) => Number(timestamp) >= begun && Number(timestamp) <= ended;

    const logs = await eventsOf(
      inbox,
      'otel_log',
      't.severity_text, t.severity_number, t.attributes',
    );
    expect(logs.map(({ event_message }) => event_message).toSorted()).toEqual(
      [...numbered('log', 250), 'cart.failed'].toSorted(),
    );
    expect(logs.filter((row) => !inTime(row))).toEqual([]);
    expect(named(logs, 'log 7')).toMatchObject([
      {
        ...ORIGIN,
        severity_text: 'INFO',
        severity_number: 9,
        attributes: { number: 7, _log_type: 'custom', tags: ['a', 'b'] },
      },
    ]);

    const spans = await eventsOf(
      inbox,
      'span',
      't.trace_id, t.span_id, t.parent_span_id, t.kind, t.status, t.attributes',
    );
    expect(spans.map(({ event_message }) => event_message).toSorted()).toEqual(
      [...numbered('span', 50), ...numbered('child', 50)].toSorted(),
    );
    expect(spans.filter((row) => !inTime(row))).toEqual([]);
    const [parent] = named(spans, 'span 7');
    expect(parent).toMatchObject({
      ...ORIGIN,
      trace_id: expect.stringMatching(/^[\da-f]{32}$/),
      span_id: expect.stringMatching(/^[\da-f]{16}$/),
      kind: 'Server',
    });
    expect(named(spans, 'child 7')).toMatchObject([
      {
        ...ORIGIN,
        trace_id: parent?.trace_id,
        parent_span_id: parent?.span_id,
        status: { code: 'Error', message: 'timed out' },
        attributes: { number: 7 },
      },
    ]);

    const events = await eventsOf(inbox, 'event', 't.trace_id, t.attributes');
    expect(events.map(({ event_message }) => event_message).toSorted()).toEqual(
      numbered('event', 50),
    );
    expect(named(events, 'event 7')).toMatchObject([
      { trace_id: parent?.trace_id, attributes: { attempt: 1 } },
    ]);

    const points = await eventsOf(inbox, 'metric', 't.metric_type, t.unit, t.value, t.attributes');
    expect(
      points.map(({ event_message, metric_type }) => `${event_message} ${metric_type}`).toSorted(),
    ).toEqual(['duration histogram', 'orders sum', 'orders sum', 'queue gauge']);
    const orders = named(points, 'orders');
    expect(orders).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...ORIGIN,
          unit: '{order}',
          value: 4,
          attributes: { country: 'FR' },
        }),
        expect.objectContaining({
          ...ORIGIN,
          unit: '{order}',
          value: 2,
          attributes: { country: 'DE' },
        }),
      ]),
    );
  },
);

test.each(EXPORTERS)(
  'the exporters repeat what 429 and 503 refuse ($encoding, $compression)',
  async ({ encoding, compression }) => {
    const { sluice } = service();
    const inbox = await createInbox(sluice, `otel.overload_${encoding}_${compression}`);
    await using gateway = await startFaultyGateway(sluice.url, [429, 503]);

    await run('opentelemetry.js', {
      url: gateway.url,
      key: inbox.key,
      source: inbox.source.token,
      encoding,
      compression,
    });

    expect(gateway.requests.slice(0, 2).map(({ status }) => status)).toEqual([429, 503]);
    const logs = await eventsOf(inbox, 'otel_log', 't.severity_text');
    expect(logs).toHaveLength(251);
    const spans = await eventsOf(inbox, 'span', 't.kind');
    expect(spans).toHaveLength(100);
    const points = await eventsOf(inbox, 'metric', 't.metric_type');
    expect(points).toHaveLength(4);
  },
);
