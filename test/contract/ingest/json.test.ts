import { describe, expect, test } from 'vitest';
import { stored } from './support.ts';

describe('/logs/json', () => {
  test('94 a batch is a field like any other', async () => {
    const body = { batch: [{ n: 1 }, { n: 2 }] };

    expect(await stored({ path: '/logs/json', body })).toEqual([
      { event_message: '{"batch":[{"n":1},{"n":2}]}', metadata: body },
    ]);
  });
});

describe('/logs/browser/reports', () => {
  const path = '/logs/browser/reports';

  test('95 takes one report of a policy, or a list of reports', async () => {
    const violation = { 'csp-report': { 'blocked-uri': 'inline', 'status-code': 200 } };
    const reports = [
      { type: 'deprecation', age: 27 },
      { type: 'crash', age: 30 },
    ];

    const one = await stored({
      path,
      headers: { 'Content-Type': 'application/csp-report' },
      body: violation,
    });
    const list = await stored({
      path,
      headers: { 'Content-Type': 'application/reports+json' },
      body: reports,
    });

    expect(one).toEqual([
      {
        event_message: JSON.stringify(violation),
        metadata: { _csp_report: { _blocked_uri: 'inline', _status_code: 200 } },
      },
    ]);
    expect(list).toEqual(
      reports.map((report) => ({ event_message: JSON.stringify(report), metadata: report })),
    );
  });
});

describe('/logs/typecasts', () => {
  const path = '/logs/typecasts';
  const toFloat = (...keys: string[]) => ({ path: keys, from: 'string', to: 'float' });

  test('96 a text at a path becomes a number, others stay', async () => {
    const body = { message: 'paid', metadata: { price: '2500.75', order: '17' } };
    const batch = [{ body, typecasts: [toFloat('metadata', 'price')] }];

    expect(await stored({ path, body: { batch } })).toEqual([
      { event_message: 'paid', metadata: { price: 2500.75, order: '17' } },
    ]);
  });

  test('97 a path leads through lists, and past what lacks its end', async () => {
    const body = { items: [{ price: '12.5' }, { 'price.net': '10' }] };
    const batch = [{ body, typecasts: [toFloat('items', 'price')] }];

    expect(await stored({ path, body: { batch } })).toEqual([
      { items: [{ price: 12.5 }, { _price_net: '10' }] },
    ]);
  });
});
