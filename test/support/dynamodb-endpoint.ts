import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { LocalDynamoDB } from '../../src/local/dynalite/dynamodb.ts';

/**
 * Serves the local DynamoDB over HTTP, for functions that run in processes or threads of their own. The
 * service itself never does: a process that reaches this may do everything.
 */
export async function serveDynamoDB({ client }: Pick<LocalDynamoDB, 'client'>) {
  const { requestHandler } = client.config;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const headers = request.headers as Record<string, string>;
    const asked = { headers, body } as unknown as Parameters<typeof requestHandler.handle>[0];
    const { response: answer } = await requestHandler.handle(asked);
    response.writeHead(answer.statusCode, answer.headers).end(answer.body);
  });
  // An idle connection closed by the server just as the client reuses it is a failed call.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
