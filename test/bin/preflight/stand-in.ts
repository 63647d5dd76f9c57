/** A server on loopback that answers the clients of `npm run preflight` in the protocol of each service. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An error as a service answers it; its message is read for the permission that is missing. */
export class Refusal {
  readonly code: string;
  readonly message: string;
  readonly status: number;

  constructor(code: string, message = `${code} from AWS`, status = 400) {
    this.code = code;
    this.message = message;
    this.status = status;
  }
}

/** What an identity without a permission gets. */
export const denied = (action: string): Refusal =>
  new Refusal(
    'AccessDeniedException',
    `User: arn:aws:iam::111122223333:user/me is not authorized to perform: ${action} on resource: *`,
    403,
  );

export type Answer = object | Refusal | 'not of AWS' | 'reset';

/**
 * Answers by operation. A list is answered one after the other, its last for ever. In XML, an array repeats its
 * element.
 */
export type Answers = Readonly<
  Record<string, Answer | readonly Answer[] | ((input: Record<string, unknown>) => Answer)>
>;

export interface Call {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

export interface StandIn {
  readonly url: string;
  readonly calls: readonly Call[];
  close(): Promise<void>;
}

type Protocol = 'json' | 'query' | 'xml';

/** Operations of services that say them by method and path. */
const PATHS: readonly (readonly [RegExp, string, Protocol])[] = [
  [/^\/2016-08-19\/account-settings/, 'GetAccountSettings', 'json'],
  [/^\/2019-09-30\/functions\/[^/]+\/concurrency/, 'GetFunctionConcurrency', 'json'],
  [/^\/2015-03-31\/functions\/[^/]+\/configuration/, 'GetFunctionConfiguration', 'json'],
  [/^\/GetDataLakeSettings/, 'GetDataLakeSettings', 'json'],
  [/^\/2013-04-01\/hostedzone\/[^/]+\/rrset/, 'ListResourceRecordSets', 'xml'],
  [/^\/2013-04-01\/hostedzone\/[^/]+$/, 'GetHostedZone', 'xml'],
];

export async function startStandIn(answers: Answers): Promise<StandIn> {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const { operation, protocol, input } = await read(request);
    const before = calls.filter((call) => call.operation === operation).length;
    calls.push({ operation, input });
    const answer = answerTo(answers[operation], input, before);
    if (answer === 'reset') {
      request.socket.resetAndDestroy();
    } else if (answer === 'not of AWS') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>');
    } else if (answer instanceof Refusal) {
      response.writeHead(answer.status, { 'x-amzn-errortype': answer.code });
      response.end(errorText(protocol, answer));
    } else {
      response.writeHead(200).end(answerText(protocol, operation, answer));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function read(request: IncomingMessage): Promise<Call & { readonly protocol: Protocol }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const target = request.headers['x-amz-target'];
  if (target !== undefined) {
    const operation = String(target).split('.')[1] ?? '';
    return { operation, protocol: 'json', input: JSON.parse(body) };
  }
  const path = request.url?.split('?')[0] ?? '';
  for (const [pattern, operation, protocol] of PATHS) {
    if (pattern.test(path)) return { operation, protocol, input: { path } };
  }
  const input = Object.fromEntries(new URLSearchParams(body));
  return { operation: input.Action ?? `${request.method} ${path}`, protocol: 'query', input };
}

function answerTo(answer: Answers[string] | undefined, input: Call['input'], before: number) {
  if (answer === undefined) return new Refusal('UnknownOperationException');
  if (typeof answer === 'function') return answer(input);
  if (!Array.isArray(answer)) return answer as Answer;
  return (answer[Math.min(before, answer.length - 1)] ?? {}) as Answer;
}

function answerText(protocol: Protocol, operation: string, answer: object): string {
  if (protocol === 'json') return JSON.stringify(answer);
  const root = `${operation}Response`;
  return xml({ [root]: protocol === 'query' ? { [`${operation}Result`]: answer } : answer });
}

function errorText(protocol: Protocol, { code, message }: Refusal): string {
  return protocol === 'json'
    ? JSON.stringify({ __type: code, message, Message: message })
    : xml({ ErrorResponse: { Error: { Type: 'Sender', Code: code, Message: message } } });
}

function xml(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }
  return Object.entries(value)
    .flatMap(([key, inner]) => [inner].flat().map((one) => `<${key}>${xml(one)}</${key}>`))
    .join('');
}
