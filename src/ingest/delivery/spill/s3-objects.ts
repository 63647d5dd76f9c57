import {
  SignatureV4,
  type SignatureV4CryptoInit,
  type SignatureV4Init,
} from '@smithy/signature-v4';

/** Objects under one prefix of a bucket. */
export interface ObjectStore {
  /** @throws an error that `classifySdkError` reads. */
  put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** @throws an error that `classifySdkError` reads. */
  get(name: string, signal: AbortSignal): Promise<Uint8Array>;
}

export interface S3ObjectStoreDeps {
  /** Where the names begin: `https://<bucket>.s3.<region>.amazonaws.com/<prefix>/`. */
  readonly baseUrl: string;
  /** Who asks and where: the configuration of any SDK client of the same account and region. */
  readonly config: Pick<SignatureV4Init, 'credentials' | 'region'> & SignatureV4CryptoInit;
}

/**
 * S3 objects by two signed requests. The SDK's S3 client would make the ingest function's bundle a
 * third larger (58 KB compressed) for objects that hardly ever occur; its signer is in there anyway.
 */
export class S3ObjectStore implements ObjectStore {
  readonly #baseUrl: URL;
  readonly #signer: SignatureV4;

  constructor({ baseUrl, config }: S3ObjectStoreDeps) {
    this.#baseUrl = new URL(baseUrl);
    const { credentials, region, sha256 } = config;
    this.#signer = new SignatureV4({
      service: 's3',
      credentials,
      region,
      sha256,
      // S3 alone signs the path as it is (AWS SigV4, "Create a canonical request").
      uriEscapePath: false,
    });
  }

  async put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const answer = await this.#request('PUT', name, signal, bytes);
    await answer.body?.cancel();
  }

  async get(name: string, signal: AbortSignal): Promise<Uint8Array> {
    const answer = await this.#request('GET', name, signal);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async #request(
    method: 'GET' | 'PUT',
    name: string,
    signal: AbortSignal,
    body?: Uint8Array,
  ): Promise<Response> {
    const url = new URL(name, this.#baseUrl);
    const { headers } = await this.#signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { host: url.host },
      ...(body === undefined ? {} : { body }),
    });
    const answer = await fetch(url, { method, headers, signal, ...(body && { body }) });
    if (!answer.ok) throw await refusal(answer);
    return answer;
  }
}

/** S3 answers errors in XML, of which only the code is of use: messages may name the caller. */
async function refusal(answer: Response): Promise<Error> {
  const code = /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1] ?? `Http${answer.status}`;
  return Object.assign(new Error(`S3 answered ${code}.`), {
    name: code,
    $metadata: {
      httpStatusCode: answer.status,
      requestId: answer.headers.get('x-amz-request-id') ?? undefined,
    },
  });
}
