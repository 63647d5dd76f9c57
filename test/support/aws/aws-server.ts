import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import { pointSdkAt } from './aws-environment.ts';

/** How the server treats one call: an answer, or a connection that breaks off. */
export type WireAnswer = { readonly status: number; readonly body: unknown } | 'reset';

export interface AwsServer {
  /** Operation and input of every call that arrived. */
  readonly calls: { readonly operation: string; readonly input: unknown }[];
  close(): Promise<void>;
}

/**
 * A server on loopback that speaks AWS's JSON 1.1 protocol. Points the SDK's environment at itself, so
 * that clients from the real factories call it.
 */
export async function startAwsServer(
  answer: (operation: string, call: number) => WireAnswer,
): Promise<AwsServer> {
  const calls: AwsServer['calls'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    calls.push({ operation, input: JSON.parse(Buffer.concat(chunks).toString()) });
    const outcome = answer(operation, calls.length);
    if (outcome === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(outcome.status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(outcome.body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  pointSdkAt(`http://127.0.0.1:${port}`);
  return {
    calls,
    close: async () => {
      vi.unstubAllEnvs();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** An error answer as AWS words it. */
export function wireError(type: string, status = 400): WireAnswer {
  return { status, body: { __type: type, message: `${type} over the wire` } };
}
