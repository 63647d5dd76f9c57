import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An error as a service of AWS answers it. */
export class ServiceFault extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.name = 'ServiceFault';
    this.type = type;
    this.status = status;
  }
}

/**
 * What happens to a call.
 * - `ok`: it does what it should
 * - `error`: an answer that is no success; nothing is done
 * - `reset`: the connection breaks before anything is done
 * - `lost`: everything is done, and the connection breaks in the middle of the answer
 * - `silence`: nothing is done and nothing answered
 */
export type CallTreatment =
  | 'ok'
  | { readonly error: string; readonly status?: number }
  | 'reset'
  | 'lost'
  | 'silence';

export interface JsonServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface JsonServerOptions {
  /** @throws ServiceFault */
  readonly call: (operation: string, input: unknown) => unknown;
  readonly treat: (operation: string) => CallTreatment;
}

/** A service on loopback that speaks AWS's JSON 1.1 protocol. */
export async function startJsonServer({ call, treat }: JsonServerOptions): Promise<JsonServer> {
  const server = createServer(async (request, response) => {
    const body = await read(request);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const treatment = treat(operation);
    if (treatment === 'silence') return;
    if (treatment === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const answer = answerOf(() => {
      if (typeof treatment === 'object') {
        throw new ServiceFault(treatment.error, `${treatment.error}.`, treatment.status);
      }
      return call(operation, JSON.parse(body));
    });
    const text = JSON.stringify(answer.body);
    response.writeHead(answer.status, {
      'content-type': 'application/x-amz-json-1.1',
      'content-length': Buffer.byteLength(text),
    });
    if (treatment === 'lost') {
      response.write(text.slice(0, text.length / 2), () => request.socket.resetAndDestroy());
      return;
    }
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answerOf(call: () => unknown): { readonly status: number; readonly body: unknown } {
  try {
    return { status: 200, body: call() };
  } catch (error) {
    if (!(error instanceof ServiceFault)) throw error;
    return { status: error.status, body: { __type: error.type, message: error.message } };
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
