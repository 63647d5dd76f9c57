import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ACCESS_KEY } from './aws-environment.ts';

/**
 * Whether S3 would take a request's signature, by AWS's description of Signature Version 4: the
 * payload's hash is the body's, and the signature is that of the request as it arrived.
 */
export function isSignedForS3(request: IncomingMessage, body: Buffer): boolean {
  const { authorization = '', ...headers } = request.headers;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (parts === null || headers['x-amz-content-sha256'] !== sha256(body)) return false;
  const [, keyId, day = '', region = '', names = '', signature] = parts;
  if (keyId !== ACCESS_KEY.id || !names.split(';').includes('host')) return false;
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const canonical = [
    request.method,
    path,
    query,
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${ACCESS_KEY.secret}`,
  );
  return hmac(key, text).toString('hex') === signature;
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
