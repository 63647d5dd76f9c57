import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of a service, by the operation in AWS's JSON protocols. */
type Operation = (input: never) => object;

interface SentMessages {
  readonly Entries: readonly { readonly Id: string; readonly MessageBody: string }[];
}

/** Services on loopback for functions in processes of their own. All of them answer at once. */
export interface AwsStandIn {
  /** What makes the SDK of another process call this one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Records that the stream took, as text. */
  readonly stored: string[];
  /** Bodies of the messages that the queue took. */
  readonly parked: string[];
  /** Statements that Athena was given. */
  readonly statements: string[];
  /** Whether the stream refuses what it is given, for good. */
  refusesRecords: boolean;
  /** Rows that every statement gives. */
  rows: readonly (readonly string[])[];
  close(): Promise<void>;
}

/** @param secret value of every secret. */
export async function startAws(secret: string): Promise<AwsStandIn> {
  const stored: string[] = [];
  const parked: string[] = [];
  const statements: string[] = [];
  const operations: Readonly<Record<string, Operation>> = {
    PutRecordBatch({ Records }: { readonly Records: readonly { readonly Data: string }[] }) {
      if (standIn.refusesRecords) throw new Error('ResourceNotFoundException');
      stored.push(...Records.map(({ Data }) => Buffer.from(Data, 'base64').toString()));
      return { FailedPutCount: 0, RequestResponses: Records.map(() => ({ RecordId: '1' })) };
    },
    SendMessageBatch({ Entries }: SentMessages) {
      parked.push(...Entries.map(({ MessageBody }) => MessageBody));
      const Successful = Entries.map(({ Id, MessageBody }) => ({
        Id,
        MessageId: Id,
        MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
      }));
      return { Successful, Failed: [] };
    },
    StartQueryExecution({ QueryString }: { readonly QueryString: string }) {
      statements.push(QueryString);
      return { QueryExecutionId: 'q1' };
    },
    GetQueryExecution: () => ({
      QueryExecution: {
        QueryExecutionId: 'q1',
        Status: { State: 'SUCCEEDED' },
        Statistics: { DataScannedInBytes: 0 },
      },
    }),
    GetQueryResults() {
      const rows = standIn.rows.map((cells) => ({
        Data: cells.map((VarCharValue) => ({ VarCharValue })),
      }));
      // The names of the columns come first.
      return { ResultSet: { Rows: [{ Data: [] }, ...rows] } };
    },
    GetSecretValue: () => ({ SecretString: secret }),
  };
  const server = createServer(async (request, response) => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    const input = JSON.parse(await text(request)) as never;
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    try {
      response.end(JSON.stringify(operations[operation]?.(input) ?? unknown(operation)));
    } catch (error) {
      response.statusCode = 400;
      response.end(JSON.stringify({ __type: (error as Error).message }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const standIn: AwsStandIn = {
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_SESSION_TOKEN: 'session',
    },
    stored,
    parked,
    statements,
    refusesRecords: false,
    rows: [],
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return standIn;
}

function unknown(operation: string): never {
  throw new Error(`Nothing here does ${operation}.`);
}
