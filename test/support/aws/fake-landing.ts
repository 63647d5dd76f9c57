import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import { vi } from 'vitest';
import { pointSdkAt } from './aws-environment.ts';
import { rowsOf } from './fake-firehose.ts';
import { isSignedForS3 } from './signature.ts';

/**
 * What happens to a call.
 * - `ok`: it does what it should
 * - a list: of its entries, those with these positions are refused, the others done
 * - `error`: an answer that is no success; nothing is done
 * - `reset`: the connection breaks before anything is done
 * - `lost`: everything is done, then the connection breaks
 * - `silence`: nothing is done and nothing answered
 * - `afterMs`: it does what it should, so much later
 */
export type Treatment =
  | 'ok'
  | { readonly afterMs: number }
  | readonly number[]
  | { readonly error: string; readonly status?: number }
  | 'reset'
  | 'lost'
  | 'silence';

export type Service = 'firehose' | 'sqs' | 's3';

interface Queued {
  readonly body: string;
  readonly sentAt: number;
  receives: number;
}

/**
 * Firehose, SQS and S3 on loopback, as far as the way into the lake uses them, speaking their
 * protocols and keeping their documented limits. The SDK's environment points here until it closes.
 */
export class FakeLanding {
  /** Records that Firehose has accepted, copies included. */
  readonly stored: Buffer[] = [];
  /** Messages in the queue, by id. */
  readonly queued = new Map<string, Queued>();
  /** Objects by path. */
  readonly objects = new Map<string, Buffer>();
  /** Calls that arrived, by service. */
  readonly calls = { firehose: 0, sqs: 0, s3: 0 };
  /** What happens to the next calls of a service; asked anew for each. */
  readonly treat: Record<Service, (call: number) => Treatment> = {
    firehose: () => 'ok',
    sqs: () => 'ok',
    s3: () => 'ok',
  };
  /** Called with each record that Firehose accepts. */
  onStored: (record: Buffer) => void = () => {};
  /** When a message counts as sent. */
  now: () => number = Date.now;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #url = '';

  static async start(): Promise<FakeLanding> {
    const landing = new FakeLanding();
    await new Promise<void>((resolve) => landing.#server.listen(0, '127.0.0.1', resolve));
    landing.#url = `http://127.0.0.1:${(landing.#server.address() as AddressInfo).port}`;
    pointSdkAt(landing.#url);
    return landing;
  }

  /** Where all three services answer. */
  get url(): string {
    return this.#url;
  }

  get queueUrl(): string {
    return `${this.#url}/123456789012/spilled`;
  }

  get objectsUrl(): string {
    return `${this.#url}/lake/parked/`;
  }

  /** Rows that are in the stream, copies included. */
  get storedRows(): string[] {
    return this.stored.flatMap(rowsOf);
  }

  /** The event that Lambda makes of the first messages. */
  receive(most: number): Pick<SQSEvent, 'Records'> {
    const messages = [...this.queued].slice(0, most);
    return {
      Records: messages.map(([messageId, message]) => ({
        messageId,
        receiptHandle: randomUUID(),
        body: message.body,
        attributes: {
          ApproximateReceiveCount: String(++message.receives),
          SentTimestamp: String(message.sentAt),
          SenderId: 'AROAEXAMPLE',
          ApproximateFirstReceiveTimestamp: String(message.sentAt),
        },
        messageAttributes: {},
        md5OfBody: md5(message.body),
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:eu-west-1:123456789012:spilled',
        awsRegion: 'eu-west-1',
      })),
    };
  }

  /** Forgets everything, as if it had just started. */
  reset(): void {
    this.stored.length = 0;
    this.queued.clear();
    this.objects.clear();
    Object.assign(this.calls, { firehose: 0, sqs: 0, s3: 0 });
  }

  async close(): Promise<void> {
    vi.unstubAllEnvs();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const target = String(request.headers['x-amz-target'] ?? '');
    const service: Service = target === '' ? 's3' : target.startsWith('Fire') ? 'firehose' : 'sqs';
    this.calls[service] += 1;
    const treatment = this.treat[service](this.calls[service]);
    if (treatment === 'silence') return;
    if (treatment === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (typeof treatment === 'object' && 'afterMs' in treatment)
      await setTimeout(treatment.afterMs);
    const answer =
      typeof treatment === 'object' && 'error' in treatment
        ? failure(treatment.error, treatment.status ?? 400, service)
        : this.#do(service, request, body, new Set(Array.isArray(treatment) ? treatment : []));
    if (treatment === 'lost') {
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.type });
    response.end(answer.body);
  }

  #do(service: Service, request: IncomingMessage, body: Buffer, refused: Set<number>): Answer {
    switch (service) {
      case 'firehose':
        return this.#putRecords(JSON.parse(body.toString()), refused);
      case 'sqs':
        return this.#sendMessages(JSON.parse(body.toString()), refused);
      case 's3':
        return this.#object(request, body);
    }
  }

  #putRecords(input: { Records: { Data: string }[] }, refused: Set<number>): Answer {
    const records = input.Records.map(({ Data }) => Buffer.from(Data, 'base64'));
    const bytes = records.reduce((sum, { length }) => sum + length, 0);
    const sound = records.every(({ length }) => length > 0 && length <= 1_024_000);
    if (!sound || records.length === 0 || records.length > 500 || bytes > 4 * 1024 * 1024) {
      return failure('InvalidArgumentException', 400, 'firehose');
    }
    const RequestResponses = records.map((record, index) => {
      if (refused.has(index)) {
        return { ErrorCode: 'ServiceUnavailableException', ErrorMessage: 'Slow down.' };
      }
      this.stored.push(record);
      this.onStored(record);
      return { RecordId: `record-${this.stored.length}` };
    });
    return json({ FailedPutCount: refused.size, RequestResponses }, '1.1');
  }

  #sendMessages(
    input: { QueueUrl: string; Entries: { Id: string; MessageBody: string }[] },
    refused: Set<number>,
  ): Answer {
    if (input.QueueUrl !== this.queueUrl) return failure('QueueDoesNotExist', 400, 'sqs');
    const bytes = input.Entries.reduce((sum, one) => sum + Buffer.byteLength(one.MessageBody), 0);
    const ids = new Set(input.Entries.map(({ Id }) => Id));
    if (input.Entries.length > 10 || ids.size !== input.Entries.length || bytes > 1_048_576) {
      return failure('BatchRequestTooLong', 400, 'sqs');
    }
    const Failed = [];
    const Successful = [];
    for (const [index, { Id, MessageBody }] of input.Entries.entries()) {
      if (refused.has(index)) {
        Failed.push({ Id, Code: 'InternalError', SenderFault: false });
      } else {
        const MessageId = randomUUID();
        this.queued.set(MessageId, { body: MessageBody, sentAt: this.now(), receives: 0 });
        Successful.push({ Id, MessageId, MD5OfMessageBody: md5(MessageBody) });
      }
    }
    return json({ Successful, Failed }, '1.0');
  }

  #object(request: IncomingMessage, body: Buffer): Answer {
    const path = request.url ?? '';
    if (!isSignedForS3(request, body)) return failure('SignatureDoesNotMatch', 403, 's3');
    if (request.method === 'PUT') {
      this.objects.set(path, body);
      return { status: 200, type: 'application/xml', body: '' };
    }
    const object = this.objects.get(path);
    return object === undefined
      ? failure('NoSuchKey', 404, 's3')
      : { status: 200, type: 'application/gzip', body: object };
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

function json(value: unknown, version: '1.0' | '1.1'): Answer {
  return { status: 200, type: `application/x-amz-json-${version}`, body: JSON.stringify(value) };
}

function failure(code: string, status: number, service: Service): Answer {
  return service === 's3'
    ? {
        status,
        type: 'application/xml',
        body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`,
      }
    : {
        status,
        type: 'application/x-amz-json-1.1',
        body: JSON.stringify({ __type: code, message: `${code} over the wire` }),
      };
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
