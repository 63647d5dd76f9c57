import { expect, test } from 'vitest';
import { decode, Harness, NOW_US, SOURCE } from '../support.ts';

const PATH = '/browser/reports';
const REPORTS = { contentType: 'application/reports+json' };
const VIOLATION = { 'csp-report': { 'document-uri': 'https://a.example/', 'line-number': 12 } };

test('a list of reports is one event per report', async () => {
  const harness = new Harness();
  const reports = [
    { type: 'network-error', age: 0, url: 'https://a.example/', body: { status_code: 500 } },
    { type: 'deprecation', age: 7, url: 'https://a.example/', body: { id: 'x' } },
  ];

  await harness.post(reports, PATH, REPORTS);

  expect(harness.events).toEqual(
    reports.map((report) => ({
      id: expect.any(String),
      timestamp: NOW_US,
      event_message: JSON.stringify(report),
      metadata: report,
    })),
  );
});

test.each(['application/csp-report', 'Application/CSP-Report; charset=utf-8'])(
  'a violation of a policy is read from %s',
  async (contentType) => {
    const harness = new Harness();
    await harness.post(VIOLATION, PATH, { contentType });
    expect(harness.events[0]).toMatchObject({
      event_message: JSON.stringify(VIOLATION),
      metadata: { _csp_report: { _document_uri: 'https://a.example/', _line_number: 12 } },
    });
  },
);

test('a policy violation is read on every other route too', async () => {
  const { events } = await decode(VIOLATION, { contentType: 'application/csp-report' });
  expect(events).toEqual([VIOLATION]);
});

test.each(['application/csp-reports', 'text/csp-report'])('%s is refused', async (contentType) => {
  await expect(decode(VIOLATION, { path: PATH, contentType })).rejects.toMatchObject({
    code: 'unsupported_content_type',
  });
});

test('a report keeps its own id and timestamp', async () => {
  const harness = new Harness();
  await harness.post([{ id: 'abc', timestamp: 1577836800 }], PATH, REPORTS);
  expect(harness.events[0]).toMatchObject({ id: 'abc', timestamp: 1577836800000000 });
});

test('a batch is a field like any other', async () => {
  const harness = new Harness();
  const body = { batch: [{ a: 1 }, { a: 2 }] };
  await harness.post(body, PATH);
  expect(harness.events.map(({ metadata }) => metadata)).toEqual([body]);
});

test('elements that are no reports are refused by index', async () => {
  const { stored, rejected } = await new Harness().post([{ a: 1 }, 5, null], PATH, REPORTS);
  expect(stored).toBe(1);
  expect(rejected.map(({ index }) => index)).toEqual([1, 2]);
});

test('a single object may name its source', async () => {
  const { source } = await decode({ source: SOURCE.token }, { path: PATH });
  expect(source).toEqual(SOURCE);
});
