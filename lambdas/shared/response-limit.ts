import {
  acceptedCoding,
  COMPRESSED_FROM_BYTES,
  compress,
} from '../../src/http/middleware/content-coding.ts';

/** An answer as an HTTP API takes it, payload format 2.0. */
export interface HttpApiResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** What Lambda takes from a function: 6 MB for the whole answer as JSON text. */
const MAX_ANSWER_BYTES = 6 * 1024 * 1024;

/** A body of fewer UTF-16 units fits however it is escaped: each takes six bytes at most. */
const SMALL = 1_000_000;

/**
 * Compresses an answer for a caller who can read that, and makes sure that Lambda takes it, which would
 * otherwise drop it and leave the client with a bare 500. A thousand rows of logs can come near the limit;
 * compressed they are a tenth.
 *
 * @param acceptEncoding `Accept-Encoding` of the request
 */
export async function limitResponse(
  answer: HttpApiResponse,
  acceptEncoding: string | undefined,
): Promise<HttpApiResponse> {
  if (answer.body.length < COMPRESSED_FROM_BYTES || answer.isBase64Encoded) return answer;
  const fitted = await compressed(answer, acceptEncoding);
  return fitted.body.length < SMALL || sizeOf(fitted) <= MAX_ANSWER_BYTES
    ? fitted
    : tooLarge(answer);
}

/** Bytes of an answer as Lambda counts them. */
function sizeOf(answer: HttpApiResponse): number {
  return Buffer.byteLength(JSON.stringify(answer));
}

/**
 * The app behind the adapter is kept from compressing (see `http-handler.ts`): Hono makes base64 byte by
 * byte, which takes half a second for what fits into an answer, and Node a few milliseconds.
 */
async function compressed(
  answer: HttpApiResponse,
  acceptEncoding: string | undefined,
): Promise<HttpApiResponse> {
  const coding = acceptedCoding(acceptEncoding);
  const bytes = coding && (await compress(Buffer.from(answer.body), coding));
  if (coding === undefined || bytes === undefined) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, 'content-encoding': coding },
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    isBase64Encoded: true,
  };
}

function tooLarge(answer: HttpApiResponse): HttpApiResponse {
  const error =
    'The result is larger than the 6 MB that one answer may have. Ask for fewer rows or columns, ' +
    'or for a compressed answer with the header "Accept-Encoding: gzip".';
  return {
    ...answer,
    statusCode: 400,
    headers: { ...answer.headers, 'cache-control': 'no-store' },
    body: JSON.stringify({ error, code: 'result_too_large' }),
  };
}
