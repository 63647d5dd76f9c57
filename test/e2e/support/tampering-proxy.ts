import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Something between the caller and the service that changes what is asked, or what is answered. */
export interface Tampering {
  readonly headers?: (headers: IncomingHttpHeaders, path: string) => IncomingHttpHeaders;
  readonly text?: (text: string, path: string) => string;
}

export async function startProxy(target: string, { headers, text }: Tampering): Promise<Proxy> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const { host: _host, connection: _connection, ...own } = request.headers;
    const {
      'content-length': _length,
      'transfer-encoding': _coding,
      ...sent
    } = headers?.(own, path) ?? own;
    const body = await read(request);
    const answer = await fetch(target + path, {
      method: request.method ?? 'GET',
      headers: Object.entries(sent).map(([name, value]) => [name, String(value)]),
      ...(body.length > 0 && { body }),
    });
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) {
      // What was compressed has been read.
      if (!/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name))
        response.setHeader(name, value);
    }
    const answered = await answer.text();
    response.end(text?.(answered, path) ?? answered);
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

async function read(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
