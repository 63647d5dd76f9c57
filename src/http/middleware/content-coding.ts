import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';

export type ContentCoding = 'zstd' | 'br' | 'gzip';

/** Smaller bodies travel in one packet either way. */
export const COMPRESSED_FROM_BYTES = 1_024;

/**
 * The fastest level of each, and the fastest and smallest coding first. Half a megabyte of log rows becomes
 * 11 % in 0.5 ms with zstd, 13 % in 0.8 ms with br and 15 % in 2 ms with gzip; better levels take three
 * to six times as long for another one or two per cent.
 */
const BEST_FIRST: readonly ContentCoding[] = ['zstd', 'br', 'gzip'];
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };

/** A third of a millisecond, less than a thread of the pool may keep one waiting. */
const MAX_SYNC_BYTES = 65_536;

/** Threads of libuv's pool are also those that write the log. */
const MAX_AT_ONCE = 2;

const inPool = {
  zstd: promisify(zstdCompress),
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

let running = 0;

/**
 * The coding for an answer (RFC 9110 12.5.3): of those with the greatest weight the best one.
 *
 * @param acceptEncoding `Accept-Encoding` of the request.
 * @returns undefined where none is accepted.
 */
export function acceptedCoding(acceptEncoding: string | undefined): ContentCoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = new Map(acceptEncoding.split(',').map(weightOf));
  let best: ContentCoding | undefined;
  let bestWeight = 0;
  for (const coding of BEST_FIRST) {
    // Who accepts any reads gzip, and hardly means the newest.
    const weight = weights.get(coding) ?? (coding === 'gzip' ? weights.get('*') : undefined) ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return best;
}

/** `gzip;q=0.5`; without a weight it is 1, and with one that is none 0. */
function weightOf(text: string): [coding: string, weight: number] {
  const [name = '', parameter = 'q=1'] = text.toLowerCase().split(';');
  const weight = /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1];
  // RFC 9110 8.4.1.3.
  const coding = name.trim() === 'x-gzip' ? 'gzip' : name.trim();
  return [coding, Number(weight ?? 0)];
}

/**
 * Compresses a body, a large one in libuv's pool.
 *
 * @returns undefined where others are being compressed there: the answer then goes as it is.
 */
export async function compress(
  body: Uint8Array,
  coding: ContentCoding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body.byteLength <= MAX_SYNC_BYTES) return compressSmall(body, coding);
  if (running >= MAX_AT_ONCE) return undefined;
  running++;
  try {
    return await compressLarge(body, coding);
  } finally {
    running--;
  }
}

function compressSmall(body: Uint8Array, coding: ContentCoding): Uint8Array<ArrayBuffer> {
  switch (coding) {
    case 'zstd':
      return zstdCompressSync(body, ZSTD);
    case 'br':
      return brotliCompressSync(body, BROTLI);
    case 'gzip':
      return gzipSync(body, GZIP);
  }
}

function compressLarge(body: Uint8Array, coding: ContentCoding): Promise<Uint8Array<ArrayBuffer>> {
  switch (coding) {
    case 'zstd':
      return inPool.zstd(body, ZSTD);
    case 'br':
      return inPool.br(body, BROTLI);
    case 'gzip':
      return inPool.gzip(body, GZIP);
  }
}
