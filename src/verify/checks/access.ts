import { randomUUID } from 'node:crypto';
import type { HttpClient } from '../client/http-client.ts';
import type { Check } from '../trial/check.ts';

/** "A change of a key takes up to 10 seconds to reach every instance." */
const FORGOTTEN_WITHIN_S = 20;

const REMEDY =
  'This is a hole: revoke the keys that you have given out, take the service from the network if you can, and report it. ' +
  'docs/http-api.md#keys-and-scopes says what each scope allows.';

/** What a caller tries. */
const ACTIONS = {
  'send to A': (caller: HttpClient, on: Targets) =>
    caller.post(`/logs?source=${on.sourceA}`, { message: 'scopes' }),
  'send to B': (caller: HttpClient, on: Targets) =>
    caller.post(`/logs?source=${on.sourceB}`, { message: 'scopes' }),
  'query A': (caller: HttpClient, on: Targets) => caller.query(on.endpointA),
  'query B': (caller: HttpClient, on: Targets) => caller.query(on.endpointB),
  'list keys': (caller: HttpClient) => caller.get('/api/access-tokens'),
  'make a source': (caller: HttpClient, on: Targets) =>
    caller.post('/api/sources', { name: `${on.prefix}.made-by-a-stranger` }),
  'preview events': (caller: HttpClient, on: Targets) =>
    caller.post(`/logs?source=${on.sourceA}&debug=1`, { message: 'x' }),
} as const;

interface Targets {
  readonly sourceA: string;
  readonly sourceB: string;
  readonly endpointA: string;
  readonly endpointB: string;
  readonly prefix: string;
}

type Action = keyof typeof ACTIONS;

export const scopes: Check = {
  name: 'scopes',
  says: 'a key may do what its scopes allow, and everything else is 401',
  needs: [],
  remedy: REMEDY,

  async run(trial, findings) {
    const [a, b] = await Promise.all([trial.source('scopes-a'), trial.source('scopes-b')]);
    const [one, two] = await Promise.all(
      ['a', 'b'].map((which) =>
        trial.endpoint(`scopes-${which}`, { query: `select '${which}' as which` }),
      ),
    );
    if (one === undefined || two === undefined) return;
    const on: Targets = {
      sourceA: a.token,
      sourceB: b.token,
      endpointA: one.token,
      endpointB: two.token,
      prefix: trial.prefix,
    };
    const callers: readonly (readonly [string, string | undefined, readonly Action[]])[] = [
      ['no key', undefined, []],
      ['a key that does not exist', randomUUID(), []],
      ['ingest', 'ingest', ['send to A', 'send to B']],
      [`ingest:source:A`, `ingest:source:${a.token}`, ['send to A']],
      ['query', 'query', ['query A', 'query B']],
      ['query:endpoint:A', `query:endpoint:${one.token}`, ['query A']],
    ];
    for (const [who, scope, allowed] of callers) {
      const isScope = scope !== undefined && /^(ingest|query)/.test(scope);
      const key = isScope ? (await trial.key(who.replaceAll(':', '-'), scope)).token : scope;
      const caller = trial.admin.as(key);
      for (const [what, act] of Object.entries(ACTIONS)) {
        const wanted = allowed.includes(what as Action) ? 200 : 401;
        findings.answers(`${who}: ${what}`, await act(caller, on), wanted);
      }
    }
  },
};

export const keys: Check = {
  name: 'keys',
  says: 'a key may travel in each of its places, and one that was deleted opens nothing any more',
  needs: [],
  remedy: REMEDY,

  async run(trial, findings) {
    const { token } = await trial.endpoint('keys', { query: 'select 1 as one' });
    const open = await trial.endpoint('open', { query: 'select 1 as one', enable_auth: false });
    const key = await trial.key('places', 'query');
    const withoutKey = trial.admin.as(undefined);
    const places: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
      ['Authorization', { Authorization: `Bearer ${key.token}` }, ''],
      ['X-API-KEY', { 'X-API-KEY': key.token }, ''],
      ['Basic', { Authorization: `Basic ${Buffer.from(`x:${key.token}`).toString('base64')}` }, ''],
      ['api_key', {}, `?api_key=${encodeURIComponent(key.token)}`],
    ];
    for (const [place, headers, search] of places) {
      const answer = await withoutKey.get(`/api/endpoints/query/${token}${search}`, headers);
      findings.answers(place, answer, 200);
    }
    findings.answers(
      'a saved query without enable_auth, by its UUID',
      await withoutKey.query(open.token),
      200,
    );
    findings.answers('the same by its name', await withoutKey.query(open.name), 401);
    const deleted = await trial.admin.call(`/api/access-tokens/${key.id}`, { method: 'DELETE' });
    findings.answers('deletion of the key', deleted, 204);
    const caller = trial.admin.as(key.token);
    let answer = await caller.query(token);
    await trial.until(FORGOTTEN_WITHIN_S, async () => {
      answer = await caller.query(token);
      return answer.status === 401 ? answer : undefined;
    });
    findings.answers(`the deleted key, ${FORGOTTEN_WITHIN_S} s later`, answer, 401);
  },
};
