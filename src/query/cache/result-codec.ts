import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { WireRow } from '../../platform/execution.ts';
import type { OutputColumn } from '../../sql/common/result-schema.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** What an engine delivered, before anything is decoded or redacted. */
export interface WireResult {
  readonly columns: readonly OutputColumn[];
  readonly rows: readonly WireRow[];
}

/**
 * Rows and columns at rest: zstd over JSON. Wire rows are kept rather than decoded ones, because they are text
 * throughout and so lose nothing in JSON, and because decoding anew lets redaction, nesting and
 * repairs of the decoder act on rows that are cached already.
 */
export async function packJson(value: unknown): Promise<Uint8Array> {
  return compress(Buffer.from(JSON.stringify(value)));
}

/** Undoes {@link packJson}; the bytes come from our own table, so their shape is given. */
export async function unpackJson<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await decompress(bytes)).toString()) as T;
}
