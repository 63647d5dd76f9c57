import { field } from '../client/answer.ts';
import type { Check } from '../trial/check.ts';
import type { Findings } from '../trial/findings.ts';
import type { Trial } from '../trial/trial.ts';

/** The tables of `logs.all`, their sources, and where an event of each names its project. */
const TABLES: readonly (readonly [
  table: string,
  source: string,
  place: 'project' | 'metadata.project' | 'metadata.project_ref',
])[] = [
  ['edge_logs', 'cloudflare.logs.prod', 'project'],
  ['postgres_logs', 'postgres.logs', 'project'],
  ['function_edge_logs', 'deno-relay-logs', 'metadata.project_ref'],
  ['function_logs', 'deno-subhosting-events', 'metadata.project_ref'],
  ['auth_logs', 'gotrue.logs.prod', 'project'],
  ['realtime_logs', 'realtime.logs.prod', 'metadata.project'],
  ['storage_logs', 'storage.logs.prod.2', 'metadata.project'],
  ['postgrest_logs', 'postgREST.logs.prod', 'project'],
  ['pgbouncer_logs', 'pgbouncer.logs.prod', 'project'],
];
const INTERVALS = ['minutely', 'hourly', 'daily'];

/** Records of calls are written within a second, and on AWS come by way of the stream. */
const USAGE_WITHIN_S = 120;

const REMEDY =
  'A saved query of yours may have replaced a shipped one (`GET /api/endpoints`); else look at docs/runbook.md#queries-failed and docs/runbook.md#lake-stale.';

/** @returns whether the deployment has all shipped sources or endpoints of these names. */
async function isShipped(
  trial: Trial,
  resource: string,
  names: readonly string[],
): Promise<boolean> {
  const { body } = await trial.admin.get(`/api/${resource}`);
  const known = new Set(Array.isArray(body) ? body.map((each) => field(each, 'name')) : []);
  return names.every((name) => known.has(name));
}

async function requireShipped(trial: Trial, findings: Findings, endpoint: string): Promise<void> {
  const sources = TABLES.map(([, source]) => source);
  const both = await Promise.all([
    isShipped(trial, 'endpoints', [endpoint]),
    isShipped(trial, 'sources', sources),
  ]);
  if (both.includes(false))
    findings.notChecked(
      `the shipped ${endpoint}, or a source that it reads, was renamed or deleted`,
    );
}

const requestUrl = (trial: Trial) => `https://${trial.prefix}.invalid/rest/v1/orders`;

export const builtInSend: Check = {
  name: 'built-in-ingest',
  says: 'each shipped source takes an event',
  needs: [],
  remedy: REMEDY,

  async run(trial, findings) {
    await requireShipped(trial, findings, 'logs.all');
    for (const [table, source, place] of TABLES) {
      const project = trial.prefix;
      const event = {
        id: `${trial.prefix}-${table}`,
        event_message: `verify ${table}`,
        ...(place === 'project' && { project }),
        metadata: {
          ...(place === 'metadata.project' && { project }),
          ...(place === 'metadata.project_ref' && { project_ref: project }),
          ...(table === 'edge_logs' && {
            request: { method: 'GET', path: '/rest/v1/orders', url: requestUrl(trial) },
            response: { status_code: 200 },
          }),
          verify: table,
        },
      };
      const path = `/logs?source_name=${encodeURIComponent(source)}`;
      findings.answers(source, await trial.admin.post(path, event), 200);
    }
  },
};

export const logsAll: Check = {
  name: 'logs-all',
  says: 'logs.all shows the events of a project in each of its tables, within bounds of time',
  needs: ['built-in-ingest'],
  after: ['lake-formats'],
  remedy: REMEDY,

  async run(trial, findings) {
    await requireShipped(trial, findings, 'logs.all');
    const since = new Date(trial.startedAt - 600_000).toISOString();
    const project = { project: trial.prefix, iso_timestamp_start: since };
    const sql = TABLES.map(
      ([table]) => `select id, event_message, '${table}' as name from ${table}`,
    ).join(' union all ');
    let answer = await trial.admin.query('logs.all', { ...project, sql });
    const all = await trial.until(trial.patience(), async (waited) => {
      trial.progress(
        `logs-all: waited ${Math.round(waited)} s, ${answer.rows?.length ?? 0} of ${TABLES.length} rows are there`,
      );
      if (answer.rows === undefined || answer.rows.length >= TABLES.length) return answer;
      answer = await trial.admin.query('logs.all', { ...project, sql });
      return undefined;
    });
    if (all === undefined) trial.waitedInVain();
    const ids = new Set(findings.rows('a call over all tables', answer).map(({ id }) => id));
    for (const [table] of TABLES) {
      const id = `${trial.prefix}-${table}`;
      if (!ids.has(id)) findings.fail(table, id, [...ids]);
    }
    const own = findings.rows('a call', await trial.admin.query('logs.all', project));
    findings.fits(
      'its own rows',
      { id: `${trial.prefix}-edge_logs`, metadata: { request: { url: requestUrl(trial) } } },
      own[0],
    );
    const early = await trial.admin.query('logs.all', {
      project: trial.prefix,
      iso_timestamp_start: since,
      iso_timestamp_end: since,
    });
    findings.fits('rows within no time', [], findings.rows('a call', early));
  },
};

export const apiCounts: Check = {
  name: 'usage-api-counts',
  says: 'usage.api-counts counts the request at each interval',
  needs: ['logs-all'],
  remedy: REMEDY,

  async run(trial, findings) {
    await requireShipped(trial, findings, 'usage.api-counts');
    for (const interval of INTERVALS) {
      const parameters = { project: `${trial.prefix}[.]invalid`, interval };
      const rows = findings.rows(interval, await trial.admin.query('usage.api-counts', parameters));
      const sum = rows.reduce((total, row) => total + Number(row.total_rest_requests), 0);
      // A copy, which may be, counts.
      if (sum < 1 || sum > 2) findings.fail(interval, 'one request to /rest', rows);
    }
    const wrong = await trial.admin.query('usage.api-counts', { project: 'x', interval: 'weekly' });
    findings.answers('an interval that does not exist', wrong, 400, 'invalid_parameter');
  },
};

export const usageQueries: Check = {
  name: 'usage-queries',
  says: 'usage.queries shows calls of this run at each interval, with hits and misses',
  needs: ['cache'],
  remedy: REMEDY,

  async run(trial, findings) {
    await requireShipped(trial, findings, 'usage.queries');
    if (!(await isShipped(trial, 'sources', ['sluice.queries']))) {
      findings.notChecked(
        'the source sluice.queries was renamed or deleted, so that no calls are recorded',
      );
    }
    const { name } = await trial.endpoint('cached');
    const fresh = { 'Cache-Control': 'no-cache' };
    const own = async (interval: string) => {
      const answer = await trial.admin.query('usage.queries', { interval }, fresh);
      return findings.rows(interval, answer).filter((row) => row.endpoint === name);
    };
    const seen = await trial.until(Math.min(USAGE_WITHIN_S, trial.patience()), async (waited) => {
      trial.progress(`usage-queries: waited ${Math.round(waited)} s for records of calls`);
      const rows = await own('hourly');
      return rows.length > 0 ? rows : undefined;
    });
    if (seen === undefined)
      findings.notYet('no record of a call is there yet; on AWS they may take six minutes');
    for (const interval of INTERVALS) {
      const rows = await own(interval);
      const calls = rows.reduce((total, row) => total + Number(row.calls), 0);
      if (calls < 1) findings.fail(interval, `calls of ${name}`, rows);
    }
  },
};

/** Days that the landing table is read back to, where compaction has come far. */
export const compaction: Check = {
  name: 'compaction',
  says: 'queries read compacted data beside the newest hours',
  needs: [],
  remedy: 'See docs/runbook.md#compaction-behind.',

  async run(trial, findings) {
    const { name } = await trial.source('batch');
    const { token } = await trial.endpoint('whole', {
      query: `select count(*) as n from \`${name}\``,
    });
    const answer = await trial.admin.query(token, { explain: 'true' });
    if (!findings.answers('explain=true', answer, 200)) return;
    const scans = field(field(answer.body, 'explain'), 'scans');
    const isCompacted =
      Array.isArray(scans) && scans.some((scan) => field(scan, 'compacted') === true);
    if (!isCompacted)
      findings.notYet('nothing is compacted yet; a new deployment needs some three hours');
  },
};
