import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpApiEvent } from '../../lambdas/shared/http-handler.ts';
import type { HttpApiResponse } from '../../lambdas/shared/response-limit.ts';
import { httpApiEvent } from './http-api-event.ts';

/** An HTTP server in front of a function, in the place of API Gateway. */
export interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

export async function startGateway(
  handler: (event: HttpApiEvent) => Promise<HttpApiResponse>,
): Promise<Gateway> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const answer = await handler(
      httpApiEvent({
        method: request.method ?? '',
        path,
        query,
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString('base64'),
        isBase64Encoded: true,
      }),
    );
    const body = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8');
    response.writeHead(answer.statusCode, answer.headers).end(body);
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
