import type { Context, Hono } from 'hono';
import { credential } from '../../../access/authenticator.ts';
import { mayManage, type Principal } from '../../../access/scopes.ts';
import type { Source } from '../../../catalog/types.ts';
import { notFound, ServiceError, unauthorized } from '../../../platform/errors.ts';
import { stringifyJson } from '../../../platform/json/json.ts';
import { isUuid } from '../../../platform/uuid.ts';
import {
  type AdHocCall,
  lqlCall,
  rowsOf,
  sqlCall,
  textOf,
} from '../../../query/ad-hoc/ad-hoc-call.ts';
import { recentEvents } from '../../../query/ad-hoc/recent-events.ts';
import { CALL_DEADLINE_MS } from '../../../query/execution/timeouts.ts';
import type { CallInput } from '../../../query/parameters/parameters.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';
import { asksForExplanation, fromBody, redactionHeader, respond } from './query-answer.ts';
import { getInput, postInput, queryStringInput, strangersInput } from './query-input.ts';
import type { QueryDeps } from './query-routes.ts';

/** Events that `recent` gives when its caller says nothing, and at most. */
const RECENT = { otherwise: 100, most: 1_000 };

/** Texts that are not saved, over all sources, for keys with the scope `private` (Logflare 1.50). */
export function addAdHocRoutes(app: Hono<HttpEnv>, deps: QueryDeps): void {
  app.get('/api/query', (c) => answer(c, deps));
  app.post('/api/query', (c) => answer(c, deps));
  app.get('/api/sources/:token/recent', (c) => recent(c, deps));
}

async function answer(c: Context<HttpEnv>, deps: QueryDeps): Promise<Response> {
  // An error that follows keeps these.
  c.header('Age', '0');
  c.header('Cache-Control', 'no-store');

  const { principal, posted } = await authorise(c, deps);
  const query = queryStringInput(c);
  const input: Record<string, unknown> = { ...query, ...posted, ...(await bodyOfGet(c, query)) };
  // A credential is no parameter: parameters are stored with the rows that they led to.
  delete input.api_key;
  const cacheControl = c.req.header('Cache-Control');
  const call = await callOf(input, deps, cacheControl);
  if (asksForExplanation(input)) {
    return c.json({ explain: await deps.runner.explain(call.endpoint, call.input) });
  }
  const result = await deps.runner.run(call.endpoint, {
    input: call.input,
    redact: redactionHeader(c) ?? false,
    cacheControl,
    keyId: principal.keyId,
    gone: c.req.raw.signal,
    origin: 'query',
  });
  return respond(c, result);
}

/** `sql` wins over `bq_sql`, and that over `lql`; an empty `lql` is none, as for saved queries. */
async function callOf(
  input: CallInput,
  deps: QueryDeps,
  cacheControl: string | undefined,
): Promise<AdHocCall> {
  const sql = input.sql ?? input.bq_sql;
  if (sql !== undefined && sql !== null) return sqlCall(sql, input, cacheControl);
  const { lql } = input;
  if (lql === undefined || lql === null || lql === '') {
    throw new ServiceError(
      'missing_parameter',
      400,
      'No query params provided. Supported query params are sql=, bq_sql= and lql=.',
    );
  }
  const text = textOf('lql', lql);
  // A call of a saved query needs no parser until it misses the cache, so it comes when it is used.
  const { tableInLql } = await import('../../../sql/lql/lql.ts');
  const table = tableInLql(text);
  const source = await sourceOfLql(input.source ?? table, deps);
  return lqlCall(text, { table, source }, input, cacheControl);
}

/** @param named name or UUID of the source; `f:` can only say names without dots. */
async function sourceOfLql(named: unknown, { registry }: QueryDeps): Promise<Source> {
  if (named === undefined || named === null || named === '') {
    throw new ServiceError(
      'missing_parameter',
      400,
      'The parameter "source" is missing: which source the LQL reads, by its name or UUID.',
    );
  }
  const name = textOf('source', named);
  const source = isUuid(name)
    ? await registry.sourceByToken(name.toLowerCase())
    : await registry.sourceByName(name);
  if (source !== undefined) return source;
  throw new ServiceError(
    'lql_unknown_table',
    400,
    `There is no source "${name.slice(0, 255)}". GET /api/sources lists those that exist.`,
  );
}

/** The newest events of a source: a list, as Logflare answers it. */
async function recent(c: Context<HttpEnv>, deps: QueryDeps): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const { principal } = await authorise(c, deps);
  const token = c.req.param('token') ?? '';
  const source = isUuid(token) ? await deps.registry.sourceByToken(token.toLowerCase()) : undefined;
  if (source === undefined) throw notFound();
  const { lql = '', limit } = queryStringInput(c);
  const now = deps.clock.now();
  const asked = { source, lql: textOf('lql', lql), rows: rowsOf('limit', limit, RECENT), now };
  const rows = await recentEvents(asked, deps.runner, {
    keyId: principal.keyId,
    gone: c.req.raw.signal,
    deadline: now + CALL_DEADLINE_MS,
  });
  c.header('Content-Type', 'application/json; charset=utf-8');
  return c.body(stringifyJson(rows));
}

/**
 * Who calls. A POST body is read once that is settled; only where the key can stand nowhere else is it read
 * before, and then not much of it.
 *
 * @throws ServiceError 401.
 */
async function authorise(
  c: Context<HttpEnv>,
  { authenticator }: QueryDeps,
): Promise<{ readonly principal: Principal; readonly posted: CallInput }> {
  const isPost = c.req.method === 'POST';
  const bringsKey = !isPost || credential(c.req, undefined) !== undefined;
  const fromStranger = bringsKey ? {} : await strangersInput(c);
  const principal = await authenticator.principal(bringsKey ? c.req : fromBody(fromStranger));
  if (principal === undefined || !mayManage(principal)) throw unauthorized();
  return { principal, posted: isPost && bringsKey ? await postInput(c) : fromStranger };
}

/** A GET's body counts where the URL has no query. */
async function bodyOfGet(c: Context<HttpEnv>, query: CallInput): Promise<CallInput> {
  const isAsked = ['sql', 'bq_sql', 'lql'].some((name) => Object.hasOwn(query, name));
  return c.req.method === 'GET' && !isAsked ? getInput(c) : {};
}
