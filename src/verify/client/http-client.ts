import { systemSleep } from '../../platform/concurrency/sleep.ts';
import { Answer } from './answer.ts';
import { printExact } from './exact-json.ts';
import type { Gate } from './gate.ts';
import type { Kind, Latencies } from './latencies.ts';

type Texts = Readonly<Record<string, string>>;

export interface Call {
  readonly method?: string;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Texts;
}

/** What all clients of a run share. */
export interface Line {
  /** Without a slash at its end. */
  readonly url: string;
  readonly gate: Gate;
  readonly latencies: Latencies;
  /** Ends every call. */
  readonly signal: AbortSignal;
  /** Called with the status of a request that is to be repeated. @returns whether it may be. */
  readonly mayRepeat: (status: number) => boolean;
}

/** A call waits for a query up to 25 s, and the gateway ends it after 29 s. */
const CALL_MS = 60_000;
const MAX_REPEATS = 2;
const LONGEST_PAUSE_S = 10;

/** The service as the holder of one key sees it. */
export class HttpClient {
  readonly #line: Line;
  readonly #key: string | undefined;

  constructor(line: Line, key: string | undefined) {
    this.#line = line;
    this.#key = key;
  }

  get url(): string {
    return this.#line.url;
  }

  /** The same service for the holder of another key, or of none. */
  as(key: string | undefined): HttpClient {
    return new HttpClient(this.#line, key);
  }

  /**
   * Repeats what was refused for lack of capacity, as clients are asked to: 503, and the 429 of the gateway,
   * which has no code.
   *
   * @throws TypeError when the service cannot be reached, DOMException when the call took a minute or the run was ended.
   */
  async call(path: string, call: Call = {}): Promise<Answer> {
    for (let repeats = 0; ; repeats++) {
      const answer = await this.#line.gate.run(() => this.#once(path, call));
      const { status, code, headers } = answer;
      const refused = status === 503 || (status === 429 && code === undefined);
      if (!refused || repeats === MAX_REPEATS || !this.#line.mayRepeat(status)) return answer;
      const asked = Number(headers.get('Retry-After') ?? 2 ** repeats);
      await systemSleep(Math.min(asked, LONGEST_PAUSE_S) * 1_000, this.#line.signal);
    }
  }

  get(path: string, headers: Texts = {}): Promise<Answer> {
    return this.call(path, { headers });
  }

  post(path: string, body: unknown, headers: Texts = {}): Promise<Answer> {
    return this.call(path, { method: 'POST', body, headers });
  }

  /** Calls a saved query by its name or UUID. */
  query(endpoint: string, parameters: Texts = {}, headers: Texts = {}): Promise<Answer> {
    const search = new URLSearchParams(parameters);
    return this.get(`/api/endpoints/query/${encodeURIComponent(endpoint)}?${search}`, headers);
  }

  async #once(path: string, { method = 'GET', body, headers = {} }: Call): Promise<Answer> {
    const { url, signal, latencies } = this.#line;
    const began = performance.now();
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(this.#key === undefined ? {} : { 'X-API-KEY': this.#key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: payload(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    });
    const answer = new Answer(response.status, response.headers, await response.text());
    const kind = kindOf(path, answer);
    if (kind !== undefined) latencies.add(kind, performance.now() - began);
    return answer;
  }
}

function kindOf(path: string, { status, headers }: Answer): Kind | undefined {
  if (status < 200 || status > 299) return undefined;
  if (path.startsWith('/logs') || path.startsWith('/v1/')) return 'ingest';
  if (!path.startsWith('/api/')) return undefined;
  const isQuery = path.startsWith('/api/endpoints/query/') || path.startsWith('/api/query?');
  if (!isQuery) return 'management';
  if (headers.get('Sluice-Cache') === 'hit') return 'query, cached';
  return headers.has('Sluice-Cache') ? 'query, run' : undefined;
}

function payload(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'string' ? body : printExact(body);
}
