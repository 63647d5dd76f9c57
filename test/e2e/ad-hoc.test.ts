import { describe, expect, test } from 'vitest';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

/** Calls `/api/query` by GET. */
const ask = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  service().sluice.call(`/api/query?${new URLSearchParams(parameters)}`, { headers });

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a query that is not saved', () => {
  test('reads every source and saved query, with parameters', async () => {
    const { sluice } = service();
    await sluice.createSource('shop.logs');
    await sluice.send('shop.logs', [
      { message: 'paid', metadata: { cents: 900 } },
      { message: 'refunded', metadata: { cents: 100 } },
    ]);
    await sluice.createEndpoint({
      name: 'shop.refunds',
      query:
        "select m.cents from `shop.logs` t cross join unnest(t.metadata) m where event_message = 'refunded'",
    });
    const sql = 'select event_message from `shop.logs` where event_message = @which';

    const got = await ask({ bq_sql: sql, which: 'paid' });
    const posted = await sluice.post('/api/query', {
      sql: 'select m.cents + @more as cents from `shop.logs` t cross join unnest(t.metadata) m where m.cents > @least',
      more: 1,
      least: 500,
    });
    const composed = await ask({ sql: 'select cents from `shop.refunds`' });

    expect(got.rows).toEqual([{ event_message: 'paid' }]);
    expect(got.headers.get('Sluice-Cache')).toBe('off');
    expect(posted.rows).toEqual([{ cents: 901 }]);
    expect(composed.rows).toEqual([{ cents: 100 }]);
  });

  test('is LQL over one source, or says what it would run', async () => {
    const { sluice } = service();
    await sluice.createSource('lql.logs');
    await sluice.send('lql.logs', [
      { message: 'a', metadata: { level: 'info' } },
      { message: 'b', metadata: { level: 'error' } },
    ]);
    const lql = 's:event_message m.level:error';

    const answer = await ask({ lql, source: 'lql.logs' });
    const explained = await ask({ lql, source: 'lql.logs', explain: 'true' });

    expect(answer.rows).toEqual([{ event_message: 'b' }]);
    expect(explained.body).toMatchObject({ explain: { columns: [{ name: 'event_message' }] } });
  });

  test('keeps its rows only where the caller takes old ones, has a bound, and says what is wrong', async () => {
    const sql = 'select n from unnest(generate_array(1, 3000)) n order by n';

    const first = await ask({ sql, max_limit: '2' }, { 'Cache-Control': 'max-age=60' });
    const again = await ask({ sql, max_limit: '2' }, { 'Cache-Control': 'max-age=60' });
    const bounded = await ask({ sql });
    const wrong = await ask({ sql: 'select x from nothing' });

    expect(first.rows).toEqual([{ n: 1 }, { n: 2 }]);
    expect(first.headers.get('Sluice-Cache')).toBe('miss');
    expect(again.headers.get('Sluice-Cache')).toBe('hit');
    expect(bounded.rows).toHaveLength(1_000);
    expect(wrong).toMatchObject({ status: 400, body: { code: 'sql_unknown_table' } });
  });

  test('is in the record of calls, and needs a private key', async () => {
    const { sluice } = service();
    const consumer = sluice.as(await sluice.createKey('query'));
    await ask({ sql: 'select 7 as seven' });

    const refused = await consumer.call('/api/query?sql=select+1');
    const rows = await sluice.rows('usage.queries', {
      interval: 'minutely',
      sql: "select distinct endpoint, language, origin from queries where origin = 'query' and language = 'sql'",
    });

    const sums = await sluice.rows('usage.queries', { interval: 'hourly' });

    expect(refused.status).toBe(401);
    expect(sums).toContainEqual(
      expect.objectContaining({ endpoint: '/api/query', calls: expect.any(Number) }),
    );
    for (const { endpoint, calls } of sums)
      if (endpoint === '/api/query') expect(calls).toBeGreaterThan(0);
    expect(rows).toEqual([{ endpoint: '/api/query', language: 'sql', origin: 'query' }]);
  });
});

describe('the newest events of a source', () => {
  test('come whole, the newest first, from as far back as it takes', async () => {
    const { sluice } = service();
    const { token } = await sluice.createSource('recent.logs');
    const event = (message: string, minutes: number) => ({
      message,
      timestamp: ago(minutes),
      metadata: { level: message },
    });
    await sluice.send('recent.logs', [
      event('days ago', 2 * 24 * 60),
      event('now', 1),
      event('hours ago', 120),
    ]);
    const recent = async (query = '') => {
      const answer = await sluice.call(`/api/sources/${token}/recent${query}`);
      expect(answer, answer.text).toMatchObject({ status: 200 });
      return answer.body as { event_message: string }[];
    };
    const messages = async (query: string) =>
      (await recent(query)).map(({ event_message }) => event_message);

    const events = await recent();

    expect(events.map(({ event_message }) => event_message)).toEqual([
      'now',
      'hours ago',
      'days ago',
    ]);
    expect(events[0]).toMatchObject({
      id: expect.any(String),
      timestamp: expect.any(Number),
      metadata: { level: 'now' },
    });
    expect(await messages('?limit=2')).toEqual(['now', 'hours ago']);
    expect(await messages('?lql=m.level:~ago&limit=1')).toEqual(['hours ago']);
  });

  test('are asked for by filters alone', async () => {
    const { sluice } = service();
    const { token } = await sluice.createSource('filtered.logs');
    const lql = encodeURIComponent('s:event_message');

    const answer = await sluice.call(`/api/sources/${token}/recent?lql=${lql}`);

    expect(answer).toMatchObject({ status: 400, body: { code: 'lql_syntax' } });
  });
});
