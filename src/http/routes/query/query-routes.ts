import type { Context, Hono } from 'hono';
import { type Authenticator, credential } from '../../../access/authenticator.ts';
import { mayManage, mayQuery, type Principal } from '../../../access/scopes.ts';
import type { Endpoint, Registry } from '../../../catalog/types.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ServiceError, unauthorized } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/uuid.ts';
import type { EndpointService } from '../../../query/endpoint-service.ts';
import type { CallInput } from '../../../query/parameters/parameters.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';
import { type Named, unknownName } from '../unknown-name.ts';
import { addAdHocRoutes } from './ad-hoc-routes.ts';
import { asksForExplanation, fromBody, redactionHeader, respond } from './query-answer.ts';
import { getInput, postInput, queryStringInput, strangersInput } from './query-input.ts';

export interface QueryDeps {
  readonly registry: Pick<
    Registry,
    'endpointByToken' | 'endpointByName' | 'endpointNames' | 'sourceByToken' | 'sourceByName'
  >;
  readonly authenticator: Pick<Authenticator, 'principal'>;
  readonly runner: Pick<EndpointService, 'run' | 'explain' | 'parse'>;
  readonly clock: Clock;
}

/** The routes that run queries, saved ones and others (Logflare 1.50). */
export function addQueryRoutes(app: Hono<HttpEnv>, deps: QueryDeps): void {
  const byTokenOrName = (c: Context<HttpEnv>) =>
    answer(c, deps, tokenOrName(c.req.param('token_or_name') ?? ''));
  const byName = (c: Context<HttpEnv>) =>
    answer(c, deps, { by: 'name', value: c.req.param('name') ?? '' });

  app.get('/api/endpoints/query/:token_or_name', byTokenOrName);
  app.post('/api/endpoints/query/:token_or_name', byTokenOrName);
  app.get('/api/endpoints/query/name/:name', byName);
  app.get('/endpoints/query/:token_or_name', byTokenOrName);
  app.get('/api/query/parse', (c) => parseText(c, deps));
  addAdHocRoutes(app, deps);
}

async function answer(c: Context<HttpEnv>, deps: QueryDeps, named: Named): Promise<Response> {
  // An error that follows keeps these.
  c.header('Age', '0');
  c.header('Cache-Control', 'no-store');

  const { endpoint, principal, posted } = await authorise(c, deps, named);
  const query = queryStringInput(c);
  const input = { ...query, ...posted, ...(await bodyOfGet(c, endpoint, query)) };
  // A credential is no parameter: parameters are stored with the rows that they led to.
  delete input.api_key;
  if (asksForExplanation(input) && mayManage(principal)) {
    return c.json({ explain: await deps.runner.explain(endpoint, input) });
  }
  sayWhatIsIgnored(c, endpoint, input);
  const result = await deps.runner.run(endpoint, {
    input,
    redact: wantsRedaction(c, endpoint),
    cacheControl: c.req.header('Cache-Control'),
    keyId: principal?.keyId,
    gone: c.req.raw.signal,
  });
  return respond(c, result);
}

interface Authorised {
  readonly endpoint: Endpoint;
  readonly principal: Principal | undefined;
  readonly posted: CallInput;
}

/**
 * Who calls what. A POST body is read once that is settled; only where the key can stand nowhere else,
 * since Logflare takes it from the body too, is it read before, and then not much of it.
 *
 * @throws ServiceError 401; 404 with neighbours for keys that may see every name.
 */
async function authorise(c: Context<HttpEnv>, deps: QueryDeps, named: Named): Promise<Authorised> {
  const principal = await deps.authenticator.principal(c.req);
  const endpoint = await findEndpoint(deps, named, principal);
  const isPost = c.req.method === 'POST';
  if (!isPost || credential(c.req, undefined) !== undefined) {
    const allowed = await allow(deps, named, endpoint, principal);
    return { endpoint: allowed, principal, posted: isPost ? await postInput(c) : {} };
  }
  const isOpen = endpoint !== undefined && isAllowed(endpoint, undefined);
  const posted = await (isOpen ? postInput(c) : strangersInput(c));
  const poster = await deps.authenticator.principal(fromBody(posted));
  const found = await findEndpoint(deps, named, poster);
  return { endpoint: await allow(deps, named, found, poster), principal: poster, posted };
}

async function allow(
  { registry }: QueryDeps,
  named: Named,
  endpoint: Endpoint | undefined,
  principal: Principal | undefined,
): Promise<Endpoint> {
  if (endpoint === undefined && mayManage(principal)) {
    const names = () => registry.endpointNames();
    throw await unknownName('saved query', named, { list: '/api/endpoints', names });
  }
  if (endpoint === undefined || !isAllowed(endpoint, principal)) throw unauthorized();
  return endpoint;
}

/** A caller of an endpoint that is not sandboxable gets its rows, whatever it asks for (Logflare 1.50). */
function sayWhatIsIgnored(c: Context<HttpEnv>, endpoint: Endpoint, input: CallInput): void {
  if (endpoint.sandboxable) return;
  const ignored = ['sql', 'lql'].filter((name) => (input[name] ?? '') !== '');
  if (ignored.length > 0) c.header('Sluice-Ignored', ignored.join(', '));
}

/** Checks a text without saving it, for keys with the scope `private`. */
async function parseText(c: Context<HttpEnv>, deps: QueryDeps): Promise<Response> {
  if (!mayManage(await deps.authenticator.principal(c.req))) throw unauthorized();
  const sql = c.req.query('sql') ?? c.req.query('bq_sql');
  if (sql === undefined) {
    throw new ServiceError(
      'missing_parameter',
      400,
      'No query params provided. Supported query params are sql= and bq_sql=.',
    );
  }
  return c.json({ result: await deps.runner.parse(sql) });
}

/** What looks like a UUID is never a name. */
function tokenOrName(value: string): Named {
  return { by: isUuid(value) ? 'token' : 'name', value };
}

/** Names are only for callers with a key, or strangers could try names out. */
async function findEndpoint(
  { registry }: QueryDeps,
  { by, value }: Named,
  principal: Principal | undefined,
): Promise<Endpoint | undefined> {
  if (by === 'token') return registry.endpointByToken(value.toLowerCase());
  return principal === undefined ? undefined : registry.endpointByName(value);
}

function isAllowed(endpoint: Endpoint, principal: Principal | undefined): boolean {
  return !endpoint.enable_auth || mayQuery(principal, endpoint.token);
}

/** A GET's body counts only where a query may come with it and the URL has none. */
async function bodyOfGet(
  c: Context<HttpEnv>,
  endpoint: Endpoint,
  query: CallInput,
): Promise<CallInput> {
  const reads =
    c.req.method === 'GET' &&
    endpoint.sandboxable &&
    !Object.hasOwn(query, 'sql') &&
    !Object.hasOwn(query, 'lql');
  return reads ? getInput(c) : {};
}

/**
 * Whether IP addresses are redacted: as the endpoint says, unless the header `LF-ENDPOINT-REDACT-PII`
 * is there, which means yes when it is `true` in any case and no when it is anything else, as in
 * Logflare. So every key that may call an endpoint, and any caller at all where `enable_auth` is
 * off, can have its rows unredacted: redaction keeps addresses out of dashboards, not from callers.
 */
function wantsRedaction(c: Context<HttpEnv>, endpoint: Endpoint): boolean {
  return redactionHeader(c) ?? endpoint.redact_pii;
}
