import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the gateway does with one request. */
export type Fault =
  /** Hands it over, and the service's answer back. */
  | 'pass'
  /** Answers this status itself; the service never sees the request. */
  | 429
  | 503
  /** Hands it over, but the client gets 503: the service has stored what the client believes lost. */
  | 'answer lost';

export interface Answered {
  /** What the client got. */
  readonly status: number;
  /** What it had sent, as it came. */
  readonly body: Buffer;
}

/** The messages of all batches that the service acknowledged, in order of their code points. */
export function acknowledged({ requests }: Gateway): string[] {
  return requests
    .filter(({ status }) => status === 200)
    .flatMap(({ body }) => (JSON.parse(body.toString()) as { batch: { message: string }[] }).batch)
    .map(({ message }) => message)
    .toSorted();
}

export interface Gateway extends AsyncDisposable {
  readonly url: string;
  /** The POSTs so far, in the order of their answers. */
  readonly requests: readonly Answered[];
}

/**
 * Stands between clients and the service and fails as API Gateway and overloaded services do.
 *
 * @param faults one for each POST, in order; those beyond them and all other requests pass.
 */
export async function startFaultyGateway(
  service: string,
  faults: readonly Fault[],
): Promise<Gateway> {
  const requests: Answered[] = [];
  const left = [...faults];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const method = request.method ?? 'GET';
    const isIngest = method === 'POST';
    const fault = isIngest ? (left.shift() ?? 'pass') : 'pass';
    const answer = await answerOf(fault, () =>
      fetch(`${service}${request.url}`, {
        method,
        headers: Object.entries(request.headers)
          .filter(([name]) => !/^(host|connection|content-length|transfer-encoding)$/.test(name))
          .map(([name, value]): [string, string] => [name, String(value)]),
        ...(isIngest ? { body } : {}),
      }),
    );
    if (isIngest) requests.push({ status: answer.status, body });
    // `fetch` has taken the coding off.
    const kept = [...answer.headers].filter(
      ([name]) => !/^content-(?:encoding|length)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(kept));
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answerOf(fault: Fault, pass: () => Promise<Response>): Promise<Response> {
  if (fault === 'pass') return pass();
  if (fault === 'answer lost') await pass();
  const status = fault === 'answer lost' ? 503 : fault;
  return Response.json({ message: 'Try again later' }, { status, headers: { 'Retry-After': '1' } });
}
