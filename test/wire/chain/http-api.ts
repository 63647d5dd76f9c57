import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpApiEvent } from '../../../lambdas/shared/http-handler.ts';
import type { HttpApiResponse } from '../../../lambdas/shared/response-limit.ts';
import { DEFAULT_FUNCTION, ROUTES, type RoutedFunction } from '../../../lib/api/routes.ts';
import { httpApiEvent } from '../../lambdas/http-api-event.ts';
import { FunctionError } from './lambda-function.ts';

export interface HttpApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Gives an event to a function. @throws FunctionError */
export type Invoke = (name: RoutedFunction, event: HttpApiEvent) => Promise<HttpApiResponse>;

/** Of an HTTP API. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Of a function's event and answer, each as JSON text. */
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** The HTTP API in front of the functions, by the routes of the service stack, on loopback. */
export async function startHttpApi(invoke: Invoke): Promise<HttpApi> {
  const server = createServer(async (request, response) => {
    const body = await read(request);
    const { statusCode, headers, ...answer } = await handle(request, body, invoke);
    response.statusCode = statusCode;
    response.setHeaders(new Map(Object.entries(headers)));
    response.end(Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function handle(
  request: IncomingMessage,
  body: Buffer,
  invoke: Invoke,
): Promise<HttpApiResponse> {
  if (body.length > MAX_BODY_BYTES) return ownAnswer(413, 'Request Entity Too Large');
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const text = asText(request.headers, body);
  const event = httpApiEvent({
    method: request.method ?? '',
    path: decoded(path),
    query,
    headers: headersOf(request.headers),
    ...(body.length > 0 && { body: text ?? body.toString('base64') }),
    isBase64Encoded: body.length > 0 && text === undefined,
  });
  if (sizeOf(event) > MAX_PAYLOAD_BYTES) return ownAnswer(413, 'Request Entity Too Large');
  try {
    const answer = await invoke(functionOf(path), event);
    return sizeOf(answer) > MAX_PAYLOAD_BYTES ? ownAnswer(500, 'Internal Server Error') : answer;
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return error.kind === 'timed out'
      ? ownAnswer(503, 'Service Unavailable')
      : ownAnswer(500, 'Internal Server Error');
  }
}

/** The function whose route is the path, or the closest above it. */
function functionOf(path: string): RoutedFunction {
  const matches = Object.entries(ROUTES).flatMap(([name, routes]) =>
    routes
      .filter((route) => {
        const pattern = route.replace('{proxy+}', '.+').replace(/\{\w+\}/, '[^/]+');
        return new RegExp(`^${pattern}$`).test(path);
      })
      .map((route) => ({ name: name as RoutedFunction, route: route as string })),
  );
  matches.sort((a, b) => b.route.length - a.route.length);
  return matches[0]?.name ?? DEFAULT_FUNCTION;
}

/** Types whose bodies come as they are; all others, and what is compressed, come in base64. */
const TEXT = /^(text\/|application\/(json|xml|javascript)\b)/;

function asText(headers: IncomingHttpHeaders, body: Buffer): string | undefined {
  const isText = TEXT.test(headers['content-type'] ?? '') && !headers['content-encoding'];
  if (!isText) return undefined;
  const text = body.toString();
  return Buffer.from(text).equals(body) ? text : undefined;
}

/** Names in lower case, as Node has them too; repeated ones joined by commas. */
function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const { 'transfer-encoding': _, ...kept } = headers;
  return Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [name, [value ?? ''].flat().join(',')]),
  );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function ownAnswer(statusCode: number, message: string): HttpApiResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
    isBase64Encoded: false,
  };
}

function sizeOf(payload: HttpApiEvent | HttpApiResponse): number {
  return Buffer.byteLength(JSON.stringify(payload));
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
