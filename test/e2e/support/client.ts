import { expect } from 'vitest';

export type Row = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** What a call came back with. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON in the text; undefined when there is no text. */
  readonly body: unknown;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
    this.body = text === '' ? undefined : JSON.parse(text);
  }

  /** Rows of a query, which has to have been answered. */
  get rows(): readonly Row[] {
    expect(this, this.text).toMatchObject({ status: 200, body: { result: expect.any(Array) } });
    return (this.body as { result: readonly Row[] }).result;
  }
}

export interface Call {
  readonly method?: string;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Texts;
}

export interface Source {
  readonly token: string;
  readonly name: string;
}

export interface Endpoint {
  readonly token: string;
  readonly name: string;
  readonly warnings: readonly string[];
}

export interface Key {
  readonly id: string;
  /** The secret. */
  readonly token: string;
}

/** A running service as one caller sees it: every call carries the caller's key. */
export class Client {
  readonly url: string;
  readonly #key: string | undefined;
  readonly #settle: () => Promise<void>;

  /** @param settle what happens before each call, so that it sees all that earlier ones have done. */
  constructor(url: string, key: string | undefined, settle = async (): Promise<void> => {}) {
    this.url = url;
    this.#key = key;
    this.#settle = settle;
  }

  /** The same service for a caller who holds another key, or none. */
  as(key: Pick<Key, 'token'> | undefined): Client {
    return new Client(this.url, key?.token, this.#settle);
  }

  async call(path: string, { method = 'GET', body, headers = {} }: Call = {}): Promise<Answer> {
    await this.#settle();
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.#key === undefined ? {} : { 'X-API-KEY': this.#key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: payload(body) }),
    });
    return new Answer(response.status, response.headers, await response.text());
  }

  post(path: string, body: unknown, headers: Texts = {}): Promise<Answer> {
    return this.call(path, { method: 'POST', body, headers });
  }

  /** Posts one event or a list of them to a source by name; they are acknowledged. */
  async send(source: string, events: unknown): Promise<void> {
    const answer = await this.post(`/logs?source_name=${encodeURIComponent(source)}`, events);
    expect(answer, answer.text).toMatchObject({ status: 200, body: { message: 'Logged!' } });
  }

  /** Calls an endpoint by its name or UUID. */
  query(endpoint: string, parameters: Texts = {}, headers: Texts = {}): Promise<Answer> {
    const search = new URLSearchParams(parameters);
    return this.call(`/api/endpoints/query/${encodeURIComponent(endpoint)}?${search}`, { headers });
  }

  /** Rows of such a call. */
  async rows(endpoint: string, parameters: Texts = {}): Promise<readonly Row[]> {
    return (await this.query(endpoint, parameters)).rows;
  }

  createSource(name: string, fields: object = {}): Promise<Source> {
    return this.#create('/api/sources', { name, ...fields });
  }

  /** @param fields what is not given is the service's default, apart from the cache: there is none. */
  createEndpoint(fields: {
    readonly name: string;
    readonly query: string;
    readonly [field: string]: unknown;
  }): Promise<Endpoint> {
    return this.#create('/api/endpoints', { cache_duration_seconds: 0, ...fields });
  }

  /** @param scopes separated by spaces. */
  createKey(scopes: string): Promise<Key> {
    return this.#create('/api/access-tokens', { scopes });
  }

  async #create<T>(path: string, fields: object): Promise<T> {
    const answer = await this.post(path, fields);
    expect(answer, answer.text).toMatchObject({ status: 201 });
    return answer.body as T;
  }
}

function payload(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}
