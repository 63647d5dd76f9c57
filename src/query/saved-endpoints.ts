import { randomUUID } from 'node:crypto';
import { changesQuery, ENDPOINT_DEFAULTS, nextVersion } from '../catalog/endpoint-versions.ts';
import { timestampAfter } from '../catalog/timestamp-after.ts';
import type { Endpoint, Registry } from '../catalog/types.ts';
import type { Clock } from '../platform/clock.ts';
import { notFound, ServiceError, ValidationError } from '../platform/errors.ts';
import { SqlError } from '../sql/common/sql-error.ts';
import type { DraftCheck, QueryDraft } from './plan/compile-call.ts';

/**
 * Checks the query of an endpoint that is about to be saved, by what its names mean now or by what they
 * meant when it was saved before.
 *
 * @throws SqlError when it cannot be compiled; ServiceError 400 `source_deleted`.
 */
export type QueryCheck = (draft: QueryDraft) => Promise<DraftCheck>;

/** What an author says of an endpoint. */
export type EndpointFields = Partial<Omit<Endpoint, OwnField>>;

/** What follows from the others, or is given once. */
type OwnField = 'token' | 'source_mapping' | 'parsed' | 'version' | 'insertedAt' | 'updatedAt';

/** An endpoint as it was saved, with sentences for its author. */
export interface SavedEndpoint {
  readonly endpoint: Endpoint;
  readonly warnings: DraftCheck['warnings'];
}

interface SavedEndpointsDeps {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly checkQuery: QueryCheck;
}

/** Saved queries: none is kept that was not compiled, and a change of what it answers is a new version. */
export class SavedEndpoints {
  readonly #deps: SavedEndpointsDeps;

  constructor(deps: SavedEndpointsDeps) {
    this.#deps = deps;
  }

  list(): Promise<readonly Endpoint[]> {
    return this.#deps.registry.listEndpoints();
  }

  /** @throws ServiceError `not_found` (404). */
  async find(token: string): Promise<Endpoint> {
    const endpoint = await this.#deps.registry.endpointByToken(token, { fresh: true });
    if (endpoint === undefined) throw notFound();
    return endpoint;
  }

  /**
   * @param token that its author brings along.
   * @throws ValidationError when the query cannot be compiled or the name or token is taken.
   */
  async create(
    fields: EndpointFields & Pick<Endpoint, 'name' | 'query'>,
    token?: string | null,
  ): Promise<SavedEndpoint> {
    const draft = { ...ENDPOINT_DEFAULTS, ...fields };
    const { source_mapping, parsed, warnings } = await this.#check(draft);
    const now = timestampAfter(this.#deps.clock);
    // A token that comes back after a deletion must not find the rows cached under its old versions.
    const endpoint: Endpoint = {
      ...draft,
      source_mapping,
      parsed,
      token: token ?? randomUUID(),
      version: token ? this.#deps.clock.now() : 1,
      insertedAt: now,
      updatedAt: now,
    };
    await this.#deps.registry.createEndpoint(endpoint);
    return { endpoint, warnings };
  }

  /**
   * @param base the endpoint as the change was made from it.
   * @throws ServiceError `conflict` when it was changed or deleted meanwhile; ValidationError as of
   *   {@link create}.
   */
  async update(base: Endpoint, fields: EndpointFields): Promise<SavedEndpoint> {
    const draft = { ...base, ...fields };
    const { source_mapping, parsed, warnings } = (await this.#needsCheck(base, draft, fields))
      ? await this.#check(draft)
      : await this.#lookAgain(draft, base);
    const changed = { ...draft, source_mapping, parsed };
    const endpoint = {
      ...changed,
      version: nextVersion(base, changed),
      updatedAt: timestampAfter(this.#deps.clock, base.updatedAt),
    };
    await this.#deps.registry.updateEndpoint(endpoint, base);
    return { endpoint, warnings };
  }

  async remove(token: string): Promise<void> {
    await this.#deps.registry.deleteEndpoint((await this.find(token)).token);
  }

  /**
   * A text that stays as it is keeps the sources it was saved with, although they may have other
   * names by now. When one of them was deleted, sending the same text again means to start over.
   */
  async #needsCheck(base: Endpoint, draft: Endpoint, fields: EndpointFields): Promise<boolean> {
    if (changesQuery(base, draft)) return true;
    if (!('query' in fields)) return false;
    const sources = await Promise.all(
      Object.values(base.source_mapping).map((token) =>
        this.#deps.registry.sourceByToken(token, { fresh: true }),
      ),
    );
    return sources.includes(undefined);
  }

  async #check({ query, parameters, sandboxable, max_limit }: QueryDraft): Promise<DraftCheck> {
    try {
      return await this.#deps.checkQuery({ query, parameters, sandboxable, max_limit });
    } catch (error) {
      if (error instanceof SqlError) throw new ValidationError({ query: [error.message] });
      throw error;
    }
  }

  /**
   * The parsed form of a text that stays as it is: of today, or of before where the text could not be
   * saved any more, which calls are told and this change is not about.
   */
  async #lookAgain(
    draft: Endpoint,
    { source_mapping, parsed }: Endpoint,
  ): Promise<Pick<Endpoint, 'source_mapping' | 'parsed'> & Pick<DraftCheck, 'warnings'>> {
    const { query, parameters, sandboxable, max_limit } = draft;
    const again = { query, parameters, sandboxable, max_limit, source_mapping };
    try {
      return { source_mapping, warnings: [], parsed: (await this.#deps.checkQuery(again)).parsed };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 400) throw error;
      return { source_mapping, warnings: [], parsed };
    }
  }
}
