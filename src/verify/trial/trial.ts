import { systemSleep } from '../../platform/concurrency/sleep.ts';
import { field } from '../client/answer.ts';
import type { HttpClient } from '../client/http-client.ts';
import type { Secrets } from '../client/secrets.ts';

export interface Source {
  readonly token: string;
  readonly name: string;
}

export interface Endpoint {
  readonly token: string;
  readonly name: string;
}

export interface Key {
  readonly id: string;
  /** The secret. */
  readonly token: string;
}

interface TrialDeps {
  readonly admin: HttpClient;
  /** What the name of everything begins with that the run makes. */
  readonly prefix: string;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
  /** How long the lake may take to show an event, seconds. */
  readonly patienceSeconds: number;
  readonly progress: (text: string) => void;
}

/** Something that a check needs could not be made; the message says what the service answered. */
export class TrialError extends Error {
  override readonly name = 'TrialError';
}

/** Pauses between two looks grow from the first to the second, milliseconds. */
const POLL_MS = { first: 500, factor: 1.5, longest: 15_000 };

/** One run against one deployment: what checks share. */
export class Trial {
  readonly admin: HttpClient;
  readonly prefix: string;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
  #patienceSeconds: number;
  /** Seconds from the acknowledgement of a source's last events until a query saw them all, as far as looking now and then tells. */
  readonly freshness = new Map<string, number>();
  /** Milliseconds since the epoch. */
  readonly startedAt = Date.now();
  readonly #acknowledged = new Map<string, number>();
  readonly #secrets: Secrets;
  readonly #made = new Map<string, Promise<unknown>>();

  constructor(deps: TrialDeps) {
    this.admin = deps.admin;
    this.prefix = deps.prefix;
    this.signal = deps.signal;
    this.#patienceSeconds = deps.patienceSeconds;
    this.progress = deps.progress;
    this.#secrets = deps.secrets;
  }

  /** A source of this run; made when it is asked for first. @throws TrialError */
  source(label: string, fields: object = {}): Promise<Source> {
    return this.#once(`source ${label}`, () =>
      // Its events leave the lake a day later, should the source itself stay.
      this.#create('/api/sources', { name: this.#name(label), retention_days: 1, ...fields }),
    );
  }

  /** A saved query of this run; the fields count when it is asked for first. No cache unless they say so. @throws TrialError */
  endpoint(label: string, fields: object = {}): Promise<Endpoint> {
    return this.#once(`endpoint ${label}`, () =>
      this.#create('/api/endpoints', {
        name: this.#name(label),
        cache_duration_seconds: 0,
        proactive_requerying_seconds: 0,
        ...fields,
      }),
    );
  }

  /** A key of this run. @param scopes separated by spaces. @throws TrialError */
  async key(label: string, scopes: string): Promise<Key> {
    const fields = { description: this.#name(label), scopes };
    const key = await this.#once(`key ${label}`, () =>
      this.#create<Key>('/api/access-tokens', fields),
    );
    this.#secrets.add(key.token);
    return key;
  }

  /** A rule that copies events of the source `events` to `sink`. @throws TrialError */
  rule(): Promise<unknown> {
    return this.#once('rule', async () => {
      const [from, to] = await Promise.all([this.source('events'), this.source('sink')]);
      const fields = { source_id: from.token, lql_string: 'm.kind:copied', sink: to.token };
      return this.#create('/api/rules', fields);
    });
  }

  /** How long events may take to become visible, seconds. */
  patience(): number {
    return this.#patienceSeconds;
  }

  /** Notes that events did not become visible in that time: others are looked for once, and not waited for. */
  waitedInVain(): void {
    this.#patienceSeconds = 0;
  }

  /** Notes that all events of a source were acknowledged now. */
  acknowledged(label: string): void {
    this.#acknowledged.set(label, performance.now());
  }

  /** Notes that a query has seen them all now. */
  visible(label: string): void {
    const since = this.#acknowledged.get(label);
    if (since === undefined || this.freshness.has(label)) return;
    this.freshness.set(label, Math.round((performance.now() - since) / 100) / 10);
  }

  /** Waits, unless the run is ended. @throws the reason of its end. */
  async pause(seconds: number): Promise<void> {
    await systemSleep(seconds * 1_000, this.signal);
    this.signal.throwIfAborted();
  }

  /**
   * Looks again and again, less and less often.
   *
   * @param look returns undefined when it is to be called again.
   * @returns what it returned, or undefined when the time is up.
   */
  async until<T>(
    seconds: number,
    look: (waitedSeconds: number) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const began = performance.now();
    const waited = () => (performance.now() - began) / 1_000;
    for (let ms = POLL_MS.first; ; ms = Math.min(POLL_MS.longest, ms * POLL_MS.factor)) {
      const found = await look(waited());
      if (found !== undefined || waited() >= seconds) return found;
      await this.pause(Math.min(ms / 1_000, Math.max(0.1, seconds - waited())));
    }
  }

  #name(label: string): string {
    return `${this.prefix}.${label}`;
  }

  #once<T>(what: string, make: () => Promise<T>): Promise<T> {
    const made = (this.#made.get(what) as Promise<T> | undefined) ?? make();
    this.#made.set(what, made);
    return made;
  }

  async #create<T>(path: string, fields: object): Promise<T> {
    const answer = await this.admin.post(path, fields);
    // Before anything can fail on what the answer holds.
    const secret = path === '/api/access-tokens' ? field(answer.body, 'token') : undefined;
    if (typeof secret === 'string') this.#secrets.add(secret);
    if (answer.status !== 201) throw new TrialError(`POST ${path} was answered with ${answer}.`);
    return answer.body as T;
  }
}
