import { beforeAll, describe, expect, test } from 'vitest';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

const ORDERS = [
  { n: 1, state: 'open', total: 10.5, client: '203.0.113.9', items: [{ sku: 'a' }] },
  { n: 2, state: 'paid', total: 20, client: '203.0.113.9', items: [{ sku: 'b' }, { sku: 'c' }] },
  { n: 3, state: 'paid', total: 5.25, client: '2001:db8::17', items: [] },
  { n: 4, state: 'sent', total: 99, client: 'unknown', items: [{ sku: 'a' }] },
];

beforeAll(async () => {
  const { sluice } = service();
  await sluice.createSource('shop.orders');
  await sluice.send(
    'shop.orders',
    ORDERS.map((order) => ({
      message: `order ${order.n} from ${order.client}`,
      timestamp: `2026-02-03T04:00:0${order.n}.000001Z`,
      metadata: order,
    })),
  );
});

describe('declared parameters', () => {
  beforeAll(async () => {
    await service().sluice.createEndpoint({
      name: 'orders.find',
      query: `
        select m.n from \`shop.orders\` as t cross join unnest(t.metadata) as m
        where m.state = @state and m.n >= @first and t.timestamp < @before
        order by m.n limit @rows`,
      parameters: [
        { name: 'state', type: 'string', required: true, enum: ['open', 'paid', 'sent'] },
        { name: 'first', type: 'int64', default: 0 },
        { name: 'before', type: 'timestamp', default: '2030-01-01T00:00:00Z' },
        { name: 'rows', type: 'int64', default: 10 },
      ],
    });
  });

  test.each<{ what: string; parameters: Record<string, string>; found: number[] }>([
    { what: 'defaults stand in', parameters: { state: 'paid' }, found: [2, 3] },
    {
      what: 'an int64 is compared as a number',
      parameters: { state: 'paid', first: '3' },
      found: [3],
    },
    {
      what: 'a timestamp is compared to the microsecond',
      parameters: { state: 'paid', before: '2026-02-03T04:00:03.000001Z' },
      found: [2],
    },
    {
      what: 'a timestamp may be given in microseconds',
      parameters: { state: 'paid', before: String(Date.UTC(2026, 1, 3, 4, 0, 3) * 1000 + 2) },
      found: [2, 3],
    },
    { what: 'a limit is a parameter too', parameters: { state: 'paid', rows: '1' }, found: [2] },
    { what: 'others are passed over', parameters: { state: 'sent', colour: 'red' }, found: [4] },
  ])('$what', async ({ parameters, found }) => {
    const rows = await service().sluice.rows('orders.find', parameters);

    expect(rows.map(({ n }) => n)).toEqual(found);
  });

  test.each<{ what: string; parameters: Record<string, string>; code: string; says: RegExp }>([
    {
      what: 'a required one is missing',
      parameters: {},
      code: 'missing_parameter',
      says: /"state" is missing; it must be one of open, paid, sent/,
    },
    {
      what: 'a value is not in the enum',
      parameters: { state: 'lost' },
      code: 'invalid_parameter',
      says: /"state" must be one of open, paid, sent/,
    },
    {
      what: 'text is given for an int64',
      parameters: { state: 'paid', first: 'two' },
      code: 'invalid_parameter',
      says: /"first" must be a whole number/,
    },
    {
      what: 'a day is given for a timestamp',
      parameters: { state: 'paid', before: 'monday' },
      code: 'invalid_parameter',
      says: /"before" must be a time/,
    },
  ])('a call is refused when $what', async ({ parameters, code, says }) => {
    const answer = await service().sluice.query('orders.find', parameters);

    expect(answer).toMatchObject({
      status: 400,
      body: { code, error: expect.stringMatching(says) },
    });
  });

  test('values never become part of the query', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({
      name: 'orders.quoted',
      query: 'select count(*) as n from `shop.orders` where event_message = @message',
    });

    const rows = await sluice.rows('orders.quoted', { message: "x' or '1' = '1" });

    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('an endpoint is called', () => {
  const PAID = { status: 200, body: { result: [{ orders: 2 }] } };
  let token: string;
  beforeAll(async () => {
    const created = await service().sluice.createEndpoint({
      name: 'orders.count',
      query: 'select count(*) as orders from `shop.orders` as t where t.metadata.state = @state',
    });
    token = created.token;
  });

  test.each([
    { how: 'by name', path: () => '/api/endpoints/query/orders.count' },
    { how: 'by UUID', path: () => `/api/endpoints/query/${token}` },
    { how: 'by UUID in capitals', path: () => `/api/endpoints/query/${token.toUpperCase()}` },
    { how: 'by the older route for names', path: () => '/api/endpoints/query/name/orders.count' },
    { how: 'by the oldest route', path: () => '/endpoints/query/orders.count' },
  ])('with GET $how', async ({ path }) => {
    expect(await service().sluice.call(`${path()}?state=paid`)).toMatchObject(PAID);
  });

  test('with POST by name, the parameters as JSON', async () => {
    const answer = await service().sluice.post('/api/endpoints/query/orders.count', {
      state: 'paid',
    });

    expect(answer).toMatchObject(PAID);
  });

  test('with POST by UUID, the parameters as a form', async () => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };

    const answer = await service().sluice.post(`/api/endpoints/query/${token}`, 'state=paid', type);

    expect(answer).toMatchObject(PAID);
  });

  test('without a key where that is allowed', async () => {
    const { sluice } = service();
    const { token: open } = await sluice.createEndpoint({
      name: 'orders.public',
      query: 'select count(*) as orders from `shop.orders`',
      enable_auth: false,
    });

    expect((await sluice.as(undefined).query(open)).rows).toEqual([{ orders: 4 }]);
    expect(await sluice.as(undefined).query(token)).toMatchObject({ status: 401 });
  });
});

describe('an answer', () => {
  test('holds max_limit rows at most', async () => {
    const { sluice } = service();
    await sluice.createEndpoint({
      name: 'orders.some',
      query: 'with t as (select event_message from `shop.orders`) select event_message from t',
      sandboxable: true,
      max_limit: 3,
    });

    expect(await sluice.rows('orders.some')).toHaveLength(3);
    expect(
      await sluice.rows('orders.some', { sql: 'select event_message from t limit 100' }),
    ).toHaveLength(3);
  });

  test('renders objects as lists of one where the endpoint says so', async () => {
    const { sluice } = service();
    const query = 'select metadata from `shop.orders` as t where t.metadata.n = 2';
    await sluice.createEndpoint({ name: 'orders.objects', query });
    await sluice.createEndpoint({ name: 'orders.records', query, nested_records: 'array' });

    const [order] = ORDERS.filter(({ n }) => n === 2);
    expect(await sluice.rows('orders.objects')).toEqual([{ metadata: order }]);
    expect(await sluice.rows('orders.records')).toEqual([{ metadata: [order] }]);
  });

  describe('redacts IP addresses', () => {
    const clear = ['order 1 from 203.0.113.9', 'order 3 from 2001:db8::17'];
    const redacted = ['order 1 from REDACTED', 'order 3 from REDACTED'];
    beforeAll(async () => {
      const query =
        'select event_message from `shop.orders` as t where t.metadata.n in (1, 3) order by 1';
      const { sluice } = service();
      // Cached, so that the rows of one caller are the rows of the next.
      const cached = { query, cache_duration_seconds: 60 };
      await sluice.createEndpoint({ name: 'orders.clear', ...cached });
      await sluice.createEndpoint({ name: 'orders.redacted', ...cached, redact_pii: true });
    });

    test.each([
      { endpoint: 'orders.clear', header: undefined, shown: clear },
      { endpoint: 'orders.clear', header: 'true', shown: redacted },
      { endpoint: 'orders.clear', header: 'false', shown: clear },
      { endpoint: 'orders.redacted', header: undefined, shown: redacted },
      { endpoint: 'orders.redacted', header: 'false', shown: clear },
    ])('of $endpoint with the header $header', async ({ endpoint, header, shown }) => {
      const headers = header === undefined ? {} : { 'LF-ENDPOINT-REDACT-PII': header };

      const { rows } = await service().sluice.query(endpoint, {}, headers);

      expect(rows.map(({ event_message }) => event_message)).toEqual(shown);
    });
  });

  test('says what it cost', async () => {
    const { sluice } = service();

    const { headers } = await sluice.query('orders.find', { state: 'open' });

    expect(headers.get('Server-Timing')).toMatch(
      /^compile;dur=[\d.]+, queue;dur=[\d.]+, engine;dur=[\d.]+, decode;dur=[\d.]+$/,
    );
    expect(headers.get('Sluice-Bytes-Scanned')).toMatch(/^\d+$/);
  });
});

describe('a saved query', () => {
  test('may name fields that no event has shown, and says which', async () => {
    const { sluice } = service();
    await sluice.createSource('shop.new');

    const { warnings } = await sluice.createEndpoint({
      name: 'new.levels',
      query: 'select level from `shop.new`',
    });
    await sluice.send('shop.new', [{ level: 'info' }, { message: 'no level' }]);
    const rows = await sluice.rows('new.levels');

    expect(warnings).toEqual([expect.stringContaining('level')]);
    expect(rows).toContainEqual({ level: 'info' });
    expect(rows).toContainEqual({ level: null });
  });

  test('answers anew as soon as it is changed', async () => {
    const { sluice } = service();
    const { token } = await sluice.createEndpoint({
      name: 'orders.changing',
      query: 'select 1 as version from `shop.orders` limit 1',
      cache_duration_seconds: 600,
    });
    const before = await sluice.rows(token);

    const changed = await sluice.call(`/api/endpoints/${token}`, {
      method: 'PATCH',
      body: { query: 'select 2 as version from `shop.orders` limit 1' },
    });

    expect(before).toEqual([{ version: 1 }]);
    expect(changed.status).toBe(204);
    expect(await sluice.rows(token)).toEqual([{ version: 2 }]);
  });

  test('is gone when it is deleted', async () => {
    const { sluice } = service();
    const { token } = await sluice.createEndpoint({ name: 'brief', query: 'select 1 as one' });

    const deleted = await sluice.call(`/api/endpoints/${token}`, { method: 'DELETE' });

    expect(deleted.status).toBe(204);
    expect(await sluice.query(token)).toMatchObject({ status: 404 });
    expect(await sluice.query('brief')).toMatchObject({ status: 404 });
  });
});

describe('an endpoint over another endpoint', () => {
  beforeAll(async () => {
    const { sluice } = service();
    await sluice.createEndpoint({
      name: 'orders.of.state',
      query:
        'select m.n, m.total from `shop.orders` as t cross join unnest(t.metadata) as m where m.state = @state',
      parameters: [{ name: 'state', type: 'string', required: true }],
    });
    await sluice.createEndpoint({
      name: 'orders.turnover',
      query: 'select count(*) as orders, sum(total) as total from `orders.of.state`',
    });
  });

  test('reads its rows as a table and inherits its parameters', async () => {
    const { sluice } = service();

    const rows = await sluice.rows('orders.turnover', { state: 'paid' });
    const missing = await sluice.query('orders.turnover', {});

    expect(rows).toEqual([{ orders: 2, total: 25.25 }]);
    expect(missing).toMatchObject({ status: 400, body: { code: 'missing_parameter' } });
  });

  test('answers anew when the other one changes, cached or not', async () => {
    const { sluice } = service();
    const query =
      'select m.n, m.total from `shop.orders` as t cross join unnest(t.metadata) as m where m.n < 3 and @state is not null';
    const { token } = await sluice.createEndpoint({
      name: 'orders.few',
      query: query.replace('3', '2'),
    });
    await sluice.createEndpoint({
      name: 'orders.few.number',
      query: 'select count(*) as n from `orders.few`',
      cache_duration_seconds: 600,
    });
    expect(await sluice.rows('orders.few.number', { state: 'x' })).toEqual([{ n: 1 }]);

    await sluice.call(`/api/endpoints/${token}`, { method: 'PATCH', body: { query } });

    expect(await sluice.rows('orders.few.number', { state: 'x' })).toEqual([{ n: 2 }]);
  });
});
