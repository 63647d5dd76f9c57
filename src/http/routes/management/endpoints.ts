import type { Endpoint } from '../../../catalog/types.ts';
import type { SavedEndpoints } from '../../../query/saved-endpoints.ts';
import { refuseBackend } from './backends.ts';
import { endpointChange, newEndpoint } from './endpoint-fields.ts';
import { readFields } from './fields.ts';
import { IGNORED_OF_ENDPOINTS } from './ignored-fields.ts';
import type { JsonObject } from './request-body.ts';
import type { Resource } from './resource.ts';

export class Endpoints implements Resource {
  readonly #saved: SavedEndpoints;

  constructor(saved: SavedEndpoints) {
    this.#saved = saved;
  }

  async list(): Promise<object[]> {
    return (await this.#saved.list()).map(render);
  }

  async create(body: JsonObject): Promise<object> {
    refuseBackend(body);
    const { token, ...fields } = readFields(newEndpoint, body, IGNORED_OF_ENDPOINTS);
    const { endpoint, warnings } = await this.#saved.create(fields, token);
    return { ...render(endpoint), warnings };
  }

  async show(token: string): Promise<object> {
    return render(await this.#saved.find(token));
  }

  async update(token: string, body: JsonObject): Promise<object> {
    refuseBackend(body);
    const base = await this.#saved.find(token);
    const fields = readFields(endpointChange, body, IGNORED_OF_ENDPOINTS);
    const { endpoint, warnings } = await this.#saved.update(base, fields);
    return { ...render(endpoint), warnings };
  }

  remove(token: string): Promise<void> {
    return this.#saved.remove(token);
  }
}

/** `id`, a row number at Logflare, is the token. */
function render({ insertedAt, updatedAt, ...fields }: Endpoint): object {
  return { id: fields.token, ...fields, inserted_at: insertedAt, updated_at: updatedAt };
}
