import type { Check } from '../trial/check.ts';

/** The times of instances differ by less. */
const SKEW_S = 2;
/** The warmer looks once a minute, and a run of Athena takes seconds. */
const WARMED_WITHIN_S = 200;
const WARMED_AT_AGE_S = 5;

export const cache: Check = {
  name: 'cache',
  says: 'the second call of a saved query is a hit with the same rows and their Age, and callers may ask for fresh ones',
  needs: ['ingest-batch'],
  remedy:
    'Look for "cache" in the log of the query function, and at docs/runbook.md#table-throttled; docs/http-api.md#running-saved-queries says what each header means.',

  async run(trial, findings) {
    const source = await trial.source('batch');
    const { token } = await trial.endpoint('cached', {
      query: `select count(*) as events, @which as which from \`${source.name}\``,
      cache_duration_seconds: 300,
    });
    const call = (headers = {}, which = 'one') => trial.admin.query(token, { which }, headers);
    const header = (answer: { headers: Headers }) => answer.headers.get('Sluice-Cache');

    const first = await call();
    findings.rows('the first call', first);
    findings.fits('Sluice-Cache of the first call', 'miss', header(first));
    await trial.pause(SKEW_S + 1);
    const second = await call();
    findings.fits('Sluice-Cache of the second call', 'hit', header(second));
    findings.fits('rows of the second call', first.text, second.text);
    const age = Number(second.headers.get('Age') ?? Number.NaN);
    if (!(age >= 1 && age <= 300))
      findings.fail('Age of the second call', '1 to 300', second.headers.get('Age'));
    findings.fits('Sluice-Cache of other parameters', 'miss', header(await call({}, 'two')));
    findings.fits(
      'Sluice-Cache after max-age=0',
      'miss',
      header(await call({ 'Cache-Control': 'max-age=0' })),
    );
    const fresh = await call({ 'Cache-Control': 'no-cache' });
    findings.fits('Sluice-Cache after no-cache', 'miss', header(fresh));
    findings.fits('Age after no-cache', '0', fresh.headers.get('Age'));
    const uncached = await trial.endpoint('uncached', { query: 'select 1 as one' });
    const off = await trial.admin.query(uncached.token);
    findings.fits('Sluice-Cache without a cache', 'off', header(off));
    findings.fits('Cache-Control without a cache', 'no-store', off.headers.get('Cache-Control'));
  },
};

export const warming: Check = {
  name: 'warming',
  says: 'rows that are being read are made anew before they expire',
  needs: [],
  remedy: 'See docs/runbook.md#warming-behind; the log of the warmer has a line for each pass.',

  async run(trial, findings) {
    const { token } = await trial.endpoint('warmed', {
      query: 'select 1 as one',
      cache_duration_seconds: 300,
      proactive_requerying_seconds: WARMED_AT_AGE_S,
    });
    let last = 0;
    const warmed = await trial.until(WARMED_WITHIN_S, async (waited) => {
      const answer = await trial.admin.query(token);
      findings.rows('a call', answer);
      const state = answer.headers.get('Sluice-Cache');
      const age = Number(answer.headers.get('Age'));
      if (state !== 'hit' && waited > 1) findings.end('Sluice-Cache meanwhile', 'hit', state);
      if (state === 'hit' && age < last) return last;
      last = age;
      return undefined;
    });
    if (warmed === undefined) {
      findings.end(
        `Age within ${WARMED_WITHIN_S} s`,
        `less than before, once it has been ${WARMED_AT_AGE_S}`,
        `${last}, and it only grew`,
      );
    }
    findings.note(`rows of ${warmed} s were replaced`);
  },
};

export const redaction: Check = {
  name: 'redaction',
  says: 'IP addresses in rows become REDACTED where the saved query or the caller says so, at every depth',
  needs: ['lake-formats'],
  remedy:
    'Addresses may be reaching callers who should not see them: take the keys of these back, and report it (docs/http-api.md#running-saved-queries).',

  async run(trial, findings) {
    const source = await trial.source('events');
    const query = `select t.metadata from \`${source.name}\` as t where t.id = '${trial.prefix}-object'`;
    const { token } = await trial.endpoint('redacted', { query, redact_pii: true });
    const plain = await trial.endpoint('not-redacted', { query });
    const call = async (endpoint: string, header?: string) => {
      const headers: Record<string, string> =
        header === undefined ? {} : { 'LF-ENDPOINT-REDACT-PII': header };
      const answer = await trial.admin.query(endpoint, {}, headers);
      return findings.rows('a call', answer)[0]?.metadata;
    };
    const hidden = { ip: 'REDACTED', ips: { v6: 'from REDACTED' } };
    const shown = { ip: '198.51.100.7', ips: { v6: 'from 2001:db8::7' } };
    findings.fits('with redact_pii', hidden, await call(token));
    findings.fits(
      'with redact_pii, and a caller who wants none',
      shown,
      await call(token, 'false'),
    );
    findings.fits('without redact_pii', shown, await call(plain.token));
    findings.fits(
      'without redact_pii, and a caller who wants it',
      hidden,
      await call(plain.token, 'true'),
    );
  },
};

export const callersQueries: Check = {
  name: 'callers-queries',
  says: "callers' SQL and LQL read the tables of a sandboxable saved query and nothing else, with parameters",
  needs: ['lake-formats'],
  remedy:
    'If a source could be read, this is a hole: set `sandboxable` of your saved queries to false and report it. See docs/http-api.md#running-saved-queries, docs/sql.md and docs/lql.md.',

  async run(trial, findings) {
    const { name } = await trial.source('events');
    const { token } = await trial.endpoint('sandbox', {
      query: `with events as (select t.id, t.event_message, t.metadata from \`${name}\` as t where t.id = @id) select id from events`,
      parameters: [{ name: 'id', type: 'string', required: true }],
      sandboxable: true,
    });
    const id = `${trial.prefix}-object`;
    const call = (parameters: Readonly<Record<string, string>>) =>
      trial.admin.query(token, { id, ...parameters });
    const rows = (what: string, answer: Awaited<ReturnType<typeof call>>, expected: unknown) =>
      findings.fits(what, expected, findings.rows(what, answer));
    rows('its own rows', await call({}), [{ id }]);
    rows(
      'sql=',
      await call({ sql: 'select count(*) as n, upper(max(metadata.level)) as level from events' }),
      [{ n: 1, level: 'ERROR' }],
    );
    rows('lql=', await call({ lql: 'f:events s:event_message m.level:error' }), [
      { event_message: 'message of object' },
    ]);
    rows(
      'lql= that fits nothing',
      await call({ lql: 'f:events s:event_message m.level:info' }),
      [],
    );
    const refused = await call({ sql: `select id from \`${name}\`` });
    findings.answers('sql= that reads a source', refused, 400, 'sql_unknown_table');
    findings.answers(
      'sql= that is no SELECT',
      await call({ sql: 'drop table events' }),
      400,
      'sql_not_select',
    );
    findings.answers('no parameter', await trial.admin.query(token), 400, 'missing_parameter');
    const failing = await trial.endpoint('failing', {
      query: `select cast(concat(t.id, 'x') as int64) as n from \`${name}\` as t`,
    });
    findings.answers(
      'a CAST that fails',
      await trial.admin.query(failing.token),
      400,
      'query_data_error',
    );
    const explained = await trial.admin.query(token, { id, explain: 'true' });
    findings.answers('explain=true', explained, 200);
  },
};

export const adHocQueries: Check = {
  name: 'ad-hoc-queries',
  says: 'SQL and LQL that is not saved gives the rows of a source, and its newest events are listed, for private keys only',
  needs: ['lake-formats'],
  remedy: 'See docs/http-api.md#queries-that-are-not-saved, and the log of the query function.',

  async run(trial, findings) {
    const { name, token } = await trial.source('events');
    const id = `${trial.prefix}-object`;
    const sql = `select t.event_message from \`${name}\` as t where t.id = @id`;
    const path = `/api/query?${new URLSearchParams({ sql, id })}`;
    const rows = [{ event_message: 'message of object' }];
    const got = await trial.admin.get(path);
    findings.fits('sql= by GET', rows, findings.rows('sql= by GET', got));
    findings.fits('Sluice-Cache', 'off', got.headers.get('Sluice-Cache'));
    const lql = `s:event_message id:"${id}"`;
    const posted = await trial.admin.post('/api/query', { lql, source: token });
    findings.fits('lql= by POST', rows, findings.rows('lql= by POST', posted));
    const recent = await trial.admin.get(
      `/api/sources/${token}/recent?${new URLSearchParams({ lql: `id:"${id}"` })}`,
    );
    findings.answers('the newest events', recent, 200);
    const [newest] = Array.isArray(recent.body) ? recent.body : [];
    findings.fits('the newest event', 'message of object', newest?.event_message);
    const consumer = trial.admin.as((await trial.key('consumer', 'query')).token);
    findings.answers('with a key that is not private', await consumer.get(path), 401);
  },
};
