import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CallTreatment } from './json-server.ts';
import type { ChainTables } from './tables.ts';

/** A call of DynamoDB, as far as a test chooses by it whom to refuse. */
export interface DynamoDBCall {
  /** Such as `GetItem`. */
  readonly operation: string;
  readonly table: 'registry' | 'cache';
  /** Partition key of the item, or of the items, that the call is about. */
  readonly partition: string;
}

/**
 * What stands before a chain's DynamoDB and refuses calls on demand: neither emulator can throttle an item. All
 * other calls go on as they are.
 */
export class DynamoDBFront {
  readonly url: string;
  /** What happens to a call. */
  treat: (call: DynamoDBCall) => CallTreatment = () => 'ok';
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(tables: ChainTables): Promise<DynamoDBFront> {
    const server = createServer(async (request, response) => {
      const body = await buffer(request);
      const treatment = front.treat(callOf(request, body, tables));
      if (treatment === 'silence') return;
      if (treatment === 'reset') {
        request.socket.resetAndDestroy();
        return;
      }
      if (typeof treatment === 'object') {
        const fault = { __type: `com.amazonaws.dynamodb.v20120810#${treatment.error}` };
        response.writeHead(treatment.status ?? 400, { 'content-type': JSON_1_0 });
        response.end(JSON.stringify({ ...fault, message: `${treatment.error} of DynamoDB.` }));
        return;
      }
      const answer = await forward(tables.endpoint, request, body);
      if (treatment === 'lost') {
        request.socket.resetAndDestroy();
        return;
      }
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    // An idle connection closed by the server just as the client reuses it is a failed call.
    server.keepAliveTimeout = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front: DynamoDBFront = new DynamoDBFront(server);
    return front;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

const JSON_1_0 = 'application/x-amz-json-1.0';

/** Where calls have the key of their partition. */
interface Input {
  readonly TableName?: string;
  readonly Key?: Keyed;
  readonly Item?: Keyed;
  readonly ExpressionAttributeValues?: { readonly ':pk'?: { readonly S?: string } };
}
type Keyed = { readonly pk?: { readonly S?: string } };

function callOf({ headers }: IncomingMessage, body: Buffer, { registry }: ChainTables) {
  const input = JSON.parse(body.toString()) as Input;
  const partition = (input.Key ?? input.Item)?.pk ?? input.ExpressionAttributeValues?.[':pk'];
  return {
    operation: String(headers['x-amz-target']).split('.')[1] ?? '',
    table: input.TableName === registry ? 'registry' : 'cache',
    partition: partition?.S ?? '',
  } as const;
}

/** Each call on a connection of its own: the emulators close idle ones without a word. */
async function forward(endpoint: string, { method, headers }: IncomingMessage, body: Buffer) {
  const request = httpRequest(endpoint, { method, headers, agent: false }).end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const { connection: _, 'transfer-encoding': __, ...kept } = answer.headers;
  return { status: answer.statusCode ?? 500, headers: kept, body: await buffer(answer) };
}
