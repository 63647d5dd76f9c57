import type { Sample } from './sample.ts';

/** Requests as agents of other log stores send them, and what is stored of each. */
export function otherStores(run: string, nowMs: number): Sample[] {
  const ms = nowMs - 60_000;
  const timestamp = ms * 1_000;
  const iso = new Date(ms).toISOString();
  const seconds = ms / 1_000;
  const mark = (name: string) => `${run}-${name}`;
  const of = (name: string): Sample['events'] => [
    [mark(name), { timestamp, event_message: mark(name) }],
  ];
  const bulk = (name: string) =>
    `{"create":{}}\n${JSON.stringify({ '@timestamp': iso, message: mark(name) })}\n`;
  const ndjson = { 'Content-Type': 'application/x-ndjson' };

  return [
    {
      format: '/loki/api/v1/push',
      shape: 'JSON',
      status: 204,
      body: {
        streams: [{ stream: { job: 'verify' }, values: [[`${ms}000000`, mark('loki')]] }],
      },
      events: of('loki'),
    },
    {
      format: '/_bulk',
      shape: 'a document',
      headers: ndjson,
      body: bulk('bulk'),
      events: of('bulk'),
    },
    {
      format: '/:index/_bulk',
      shape: 'an index in the address',
      path: '/logs-verify/_bulk',
      headers: ndjson,
      body: bulk('index-bulk'),
      events: of('index-bulk'),
    },
    {
      format: '/:index/_doc',
      shape: 'a document',
      path: '/logs-verify/_doc',
      status: 201,
      body: { '@timestamp': iso, message: mark('doc') },
      events: of('doc'),
    },
    ...['', '/event', '/event/1.0'].map(
      (end, index): Sample => ({
        format: `/services/collector${end}`,
        shape: 'an event of text',
        body: { event: mark(`hec-${index}`), time: seconds },
        events: of(`hec-${index}`),
      }),
    ),
    ...['/raw', '/raw/1.0'].map(
      (end, index): Sample => ({
        format: `/services/collector${end}`,
        shape: 'a line',
        headers: { 'Content-Type': 'text/plain' },
        body: `${mark(`hec-raw-${index}`)}\n`,
        events: [[mark(`hec-raw-${index}`), { event_message: mark(`hec-raw-${index}`) }]],
      }),
    ),
    ...['/api/v2/logs', '/v1/input'].map(
      (format, index): Sample => ({
        format,
        shape: 'a list',
        status: 202,
        body: [{ message: mark(`datadog-${index}`), timestamp: ms, service: 'verify' }],
        events: of(`datadog-${index}`),
      }),
    ),
    {
      format: '/gelf',
      shape: 'a message',
      status: 202,
      body: { version: '1.1', host: 'verify', short_message: mark('gelf'), timestamp: seconds },
      events: of('gelf'),
    },
  ];
}
