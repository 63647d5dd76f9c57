import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ENDPOINT_DEFAULTS } from '../../../catalog/endpoint-versions.ts';
import { timestampAfter } from '../../../catalog/timestamp-after.ts';
import type { Endpoint, Registry } from '../../../catalog/types.ts';
import type { Clock } from '../../../platform/clock.ts';
import { notFound, ServiceError, ValidationError } from '../../../platform/errors.ts';
import type { DraftCheck, QueryDraft } from '../../../query/plan/compile-call.ts';
import type { QueryCheck } from '../../../query/saved-endpoints.ts';
import { SqlError } from '../../../sql/error.ts';
import { refuseBackend } from './backends.ts';
import { endpointChange, newEndpoint } from './endpoint-fields.ts';
import { readFields } from './fields.ts';
import { IGNORED_OF_ENDPOINTS } from './ignored-fields.ts';
import type { JsonObject } from './request-body.ts';
import type { Resource } from './resource.ts';

/** What the compiled query depends on. */
const COMPILED = ['query', 'parameters', 'sandboxable', 'max_limit'] as const;

/** What makes cached rows useless when it changes (Logflare 1.50). */
const CACHED = [
  ...COMPILED,
  'source_mapping',
  'cache_duration_seconds',
  'proactive_requerying_seconds',
  'allow_wildcards',
  'allow_whole_rows',
  'enable_auth',
  'labels',
  'nested_records',
] as const;

type Saved = Pick<Endpoint, 'source_mapping' | 'parsed'> & Pick<DraftCheck, 'warnings'>;

export class Endpoints implements Resource {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #checkQuery: QueryCheck;

  constructor(deps: { registry: Registry; clock: Clock; checkQuery: QueryCheck }) {
    this.#registry = deps.registry;
    this.#clock = deps.clock;
    this.#checkQuery = deps.checkQuery;
  }

  async list(): Promise<object[]> {
    return (await this.#registry.listEndpoints()).map(render);
  }

  async create(body: JsonObject): Promise<object> {
    refuseBackend(body);
    const { token, ...fields } = readFields(newEndpoint, body, IGNORED_OF_ENDPOINTS);
    const draft = { ...ENDPOINT_DEFAULTS, ...fields };
    const { source_mapping, parsed, warnings } = await this.#check(draft);
    const now = timestampAfter(this.#clock);
    // A token that comes back after a deletion must not find the rows cached under its old versions.
    const endpoint: Endpoint = {
      ...draft,
      source_mapping,
      parsed,
      token: token ?? randomUUID(),
      version: token ? this.#clock.now() : 1,
      insertedAt: now,
      updatedAt: now,
    };
    await this.#registry.createEndpoint(endpoint);
    return { ...render(endpoint), warnings };
  }

  async show(token: string): Promise<object> {
    return render(await this.#find(token));
  }

  async update(token: string, body: JsonObject): Promise<object> {
    refuseBackend(body);
    const base = await this.#find(token);
    const fields = readFields(endpointChange, body, IGNORED_OF_ENDPOINTS);
    const draft = { ...base, ...fields };
    const { source_mapping, parsed, warnings } = (await this.#needsCheck(base, draft, fields))
      ? await this.#check(draft)
      : await this.#lookAgain(draft, base);
    const endpoint = { ...draft, source_mapping, parsed };
    const saved = {
      ...endpoint,
      version: base.version + (differ(base, endpoint, CACHED) ? 1 : 0),
      updatedAt: timestampAfter(this.#clock, base.updatedAt),
    };
    await this.#registry.updateEndpoint(saved, base);
    return { ...render(saved), warnings };
  }

  async remove(token: string): Promise<void> {
    const endpoint = await this.#find(token);
    await this.#registry.deleteEndpoint(endpoint.token);
  }

  /**
   * A text that stays as it is keeps the sources it was saved with, although they may have other
   * names by now. When one of them was deleted, sending the same text again means to start over.
   */
  async #needsCheck(base: Endpoint, draft: Endpoint, fields: JsonObject): Promise<boolean> {
    if (differ(base, draft, COMPILED)) return true;
    if (!('query' in fields)) return false;
    const sources = await Promise.all(
      Object.values(base.source_mapping).map((token) =>
        this.#registry.sourceByToken(token, { fresh: true }),
      ),
    );
    return sources.includes(undefined);
  }

  async #check({ query, parameters, sandboxable, max_limit }: QueryDraft): Promise<DraftCheck> {
    try {
      return await this.#checkQuery({ query, parameters, sandboxable, max_limit });
    } catch (error) {
      if (error instanceof SqlError) throw new ValidationError({ query: [error.message] });
      throw error;
    }
  }

  /**
   * The parsed form of a text that stays as it is: of today, or of before where the text could not be
   * saved any more, which calls are told and this change is not about.
   */
  async #lookAgain(draft: Endpoint, { source_mapping, parsed }: Endpoint): Promise<Saved> {
    const { query, parameters, sandboxable, max_limit } = draft;
    const again = { query, parameters, sandboxable, max_limit, source_mapping };
    try {
      return { source_mapping, warnings: [], parsed: (await this.#checkQuery(again)).parsed };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 400) throw error;
      return { source_mapping, warnings: [], parsed };
    }
  }

  async #find(token: string): Promise<Endpoint> {
    const endpoint = await this.#registry.endpointByToken(token, { fresh: true });
    if (endpoint === undefined) throw notFound();
    return endpoint;
  }
}

function differ(a: Endpoint, b: Endpoint, fields: readonly (keyof Endpoint)[]): boolean {
  return fields.some((field) => !isDeepStrictEqual(a[field], b[field]));
}

/** `id`, a row number at Logflare, is the token. */
function render({ insertedAt, updatedAt, ...fields }: Endpoint): object {
  return { id: fields.token, ...fields, inserted_at: insertedAt, updated_at: updatedAt };
}
