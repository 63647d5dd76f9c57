import { gzipSync } from 'node:zlib';

/** An answer as an HTTP API takes it, payload format 2.0. */
export interface HttpApiAnswer {
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
 * Makes a large answer small enough for Lambda, which would otherwise drop it and leave the client
 * with a bare 500. A thousand rows of logs can come near the limit; compressed they are a tenth.
 *
 * @param acceptEncoding `Accept-Encoding` of the request
 */
export function fitAnswer(
  answer: HttpApiAnswer,
  acceptEncoding: string | undefined,
): HttpApiAnswer {
  if (answer.body.length < SMALL || answer.isBase64Encoded) return answer;
  const fitted = acceptsGzip(acceptEncoding) ? compressed(answer) : answer;
  return Buffer.byteLength(JSON.stringify(fitted)) <= MAX_ANSWER_BYTES ? fitted : tooLarge(answer);
}

/** RFC 9110 12.5.3: a coding with weight 0 is refused, and `*` stands for any that is not named. */
function acceptsGzip(acceptEncoding = ''): boolean {
  const weights = new Map(
    acceptEncoding.split(',').map((coding) => {
      const [name = '', weight = ''] = coding.toLowerCase().split(';');
      return [name.trim(), !/^\s*q=0(\.0*)?\s*$/.test(weight)];
    }),
  );
  return weights.get('gzip') ?? weights.get('*') ?? false;
}

function compressed(answer: HttpApiAnswer): HttpApiAnswer {
  return {
    ...answer,
    headers: { ...answer.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
    // The fastest level: a better one takes longer here than it saves on the wire.
    body: gzipSync(answer.body, { level: 1 }).toString('base64'),
    isBase64Encoded: true,
  };
}

function tooLarge(answer: HttpApiAnswer): HttpApiAnswer {
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
