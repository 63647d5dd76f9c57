import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import type { HttpEnv } from '../http/middleware/http-env.ts';
import type { Logger } from '../platform/log.ts';
import { StartError } from './config.ts';

export interface HttpListener {
  /** Base address without a trailing slash, with a host that a client on this machine can dial. */
  readonly url: string;
  /** Stops accepting, waits for the requests under way, and cuts off what is left after the grace. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly logger: Logger;
  /** Milliseconds that requests under way get to finish. */
  readonly graceMs?: number;
}

/** Node's 16 KB covers request line and headers together; queries in the URL alone take as much. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Longer than the 60 s for which common proxies reuse a connection, or they hit a closed one. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** For receiving a request; answering it may take longer. */
const REQUEST_TIMEOUT_MS = 120_000;
const IDLE_SWEEP_MS = 50;
/** What `@hono/node-server` gives senders of bodies that were not read to their end. */
const DRAIN_MS = 500;

/**
 * Serves an app over HTTP/1.1.
 *
 * @throws StartError when the address is taken, not of this machine, or not permitted.
 */
export async function listen(
  fetch: Hono<HttpEnv>['fetch'],
  options: ListenOptions,
): Promise<HttpListener> {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
    },
    getRequestListener(fetch, {
      errorHandler: (error) => answerOutsideApp(error, options.logger),
    }),
  );
  server.on('request', drainGetBody);
  const connections = trackConnections(server);
  await bind(server, options);
  // A string only for pipes, which this server is never bound to.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${dialable(options.host)}:${port}`,
    close: () => drain(server, connections, options.graceMs ?? 10_000),
  };
}

/**
 * Reads what is left of a GET's body once it is answered: a body that was begun and not read to its end
 * would block the connection for good. `@hono/node-server` does so for all other methods, and Node
 * where nothing was read.
 */
function drainGetBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return;
  outgoing.once('finish', () => {
    if (incoming.readableEnded) return;
    const cut = setTimeout(() => incoming.socket.destroySoon(), DRAIN_MS);
    incoming.once('close', () => clearTimeout(cut));
    incoming.resume();
  });
}

/** What goes wrong before the app sees a request: a target or Host header that makes no URL. */
function answerOutsideApp(error: unknown, logger: Logger): Response {
  const ours = !(error instanceof RequestError);
  if (ours) logger.error('unexpected error outside the app', { error });
  return Response.json(
    ours
      ? { error: 'Something went wrong on the server.', code: 'internal_error' }
      : { error: 'The request target or Host header is not valid.', code: 'bad_request' },
    { status: ours ? 500 : 400 },
  );
}

function bind(server: Server, { host, port }: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
  server.listen(port, host, resolve);
  return promise;
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is in use. Stop what listens there, or set PORT to another port.`,
        { cause: error },
      );
    case 'EACCES':
      return new StartError(
        `This user may not listen on port ${port}. Set PORT to a port above 1023.`,
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST ${host} is not an address of this machine.`, { cause: error });
    default:
      return error;
  }
}

function dialable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function trackConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

async function drain(
  server: Server,
  connections: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // To Node, a connection that has not asked for anything yet is not idle; browsers keep such spares.
  for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
  // Node closes idle connections once, at the call; those that become idle later stay open.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
