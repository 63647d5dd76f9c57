import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { mayReach, type Reach, urlFault } from './target-url.ts';

/** How an attempt to deliver ended. */
export type Attempt =
  | { readonly ok: true; readonly status: number | null }
  | {
      readonly ok: false;
      readonly status: number | null;
      readonly code: string;
      /** Whether another attempt may succeed. */
      readonly isTemporary: boolean;
    };

/** Resolves a name to all of its addresses. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface PostOptions extends Reach {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** @default the system's resolver */
  readonly resolve?: Resolve;
}

/** A name that leads to an address which notifications are not sent to. */
class ForbiddenAddress extends Error {
  readonly code = 'address_forbidden';
}

/**
 * Posts a body to a target. Addresses are checked where the connection gets them from, so that a name
 * which meant another address when the alert was saved, or a moment ago, is of no use. Redirects are not
 * followed, and the body of the answer is not read. Never throws.
 */
export function post(target: string, options: PostOptions): Promise<Attempt> {
  if (urlFault(target, options) !== undefined) {
    return Promise.resolve(failed(null, 'url_forbidden', false));
  }
  const url = new URL(target);
  const { promise, resolve } = Promise.withResolvers<Attempt>();
  const send = url.protocol === 'http:' ? requestHttp : requestHttps;
  const request: ClientRequest = send(url, {
    method: 'POST',
    headers: { ...options.headers, 'Content-Length': String(Buffer.byteLength(options.body)) },
    // A connection of its own, made through the lookup: one that is kept would be reused unchecked.
    agent: false,
    lookup: checkedLookup(options),
    signal: options.signal,
  });
  request.on('response', (response) => {
    const status = response.statusCode ?? 0;
    // Whatever is in the answer, and however long it is.
    response.destroy();
    resolve(attemptOf(status));
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    if (options.signal.aborted) return resolve(failed(null, 'timeout', true));
    const { code = 'connection_failed' } = error;
    resolve(failed(null, code.toLowerCase(), code !== 'address_forbidden'));
  });
  request.end(options.body);
  return promise;
}

/**
 * What the connection asks for the addresses of a name: all of them have to be fit to be reached, since
 * one that is not shows what the name is for.
 */
export function checkedLookup({
  allowLocal,
  resolve = systemLookup,
}: Pick<PostOptions, 'allowLocal' | 'resolve'>): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error) return done(error, '');
      const isFit = addresses.every(({ address }) => mayReach(address, { allowLocal }));
      const [first] = addresses;
      if (!isFit || first === undefined) {
        return done(new ForbiddenAddress(`${hostname} is not on the internet.`), '');
      }
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

function attemptOf(status: number): Attempt {
  if (status >= 200 && status < 300) return { ok: true, status };
  if (status >= 300 && status < 400) return failed(status, 'redirect_refused', false);
  // A receiver that says so comes back: RFC 9110 15.5.9, RFC 6585 4.
  const isTemporary = status >= 500 || status === 408 || status === 425 || status === 429;
  return failed(status, 'refused_by_target', isTemporary);
}

function failed(status: number | null, code: string, isTemporary: boolean): Attempt {
  return { ok: false, status, code, isTemporary };
}
