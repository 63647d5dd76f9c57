/**
 * How a record travels on the stream: its rows as they are, or compressed. Firehose bills the bytes
 * that are put on the stream in steps of 5 KB (5,120 bytes), for taking and for converting them; rows
 * of a hundred events are a ninth when compressed. A transformation function gives the rows back
 * before Firehose makes Parquet of them.
 *
 * A compressed record begins with a skippable frame of Zstandard (RFC 8878, 3.1.2) whose text is the
 * record's {@link RecordHeader} as JSON, which people and SQL can read without decompressing; then
 * comes one Zstandard frame. `zstd -d` gives the rows of such a record as well.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import * as z from 'zod/mini';
import { MAX_RECORD_BYTES, rowsIn } from './pack.ts';

/** What is known of a compressed record without decompressing it. */
export interface RecordHeader {
  /** How the rows are compressed. Values once written are readable for ever. */
  readonly encoding: 'zstd';
  readonly rows: number;
  /** Bytes of the rows, decompressed. */
  readonly bytes: number;
  /** Source of all rows, for whom it may concern that they wait somewhere; absent when they have several. */
  readonly source_id?: string;
}

/** The rows of a record, a newline between two, and how many they are. */
export interface DecodedRecord {
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** A record that cannot be read. `code` is fit for a log line; nothing quotes the record. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly code: 'unknown_encoding' | 'damaged_record';

  constructor(code: RecordError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A record is at least a 20th of its rows. Firehose gives the transformation function some 0.2 MiB of
 * records, and its answer, in base64, may take 6 MB: 0.2 MiB * 20 * 4/3 = 5.6 MB.
 */
export const MAX_EXPANSION = 20;

/** Firehose's billing unit: what fits one costs the same as it is. */
export const BILLING_UNIT_BYTES = 5_120;

/** "Skippable frame": a magic number and a length, four bytes each, little-endian. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const FRAME_HEADER_BYTES = 8;
/** The header of the largest record that is padded to a 20th of its rows has some 51,000. */
const MAX_HEADER_BYTES = 64 * 1024;

const OPENING_BRACE = 0x7b;

/**
 * Rows repeat whole names and values, so matches of under seven bytes are not worth looking for: level
 * 1 without them takes a fifth less time than level 3 and makes records as small (2.4 us and 204 bytes
 * an event of 1 KB in a hundred, against 3.0 us and 202; level 4 takes 8 us for 188). The checksum (4
 * bytes) tells damaged records from whole ones.
 */
const PARAMS = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_minMatch]: 7,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** A full record comes out in one piece, most of the time. */
const CHUNK_BYTES = 64 * 1024;

const Header = z.looseObject({
  encoding: z.string(),
  rows: z.int().check(z.positive()),
  bytes: z.int().check(z.positive(), z.maximum(MAX_RECORD_BYTES)),
  source_id: z.optional(z.string()),
});

/** How every row begins: `{"source_id":"`, 36 characters and a quotation mark. */
const ROW_HEAD = /^\{"source_id":"([0-9a-f-]{36})"/;
const ROW_HEAD_BYTES = 51;
const NEWLINE = 10;

/**
 * A record for the stream. One that fits a billing unit, or that compression does not make smaller by
 * one, stays as it is.
 *
 * @param record packed rows, of `packRecords`.
 */
export function encodeRecord(record: Uint8Array): Uint8Array {
  if (record.length <= BILLING_UNIT_BYTES) return record;
  const compressed = zstdCompressSync(record, {
    params: PARAMS,
    chunkSize: CHUNK_BYTES,
    pledgedSrcSize: record.length,
  });
  const header: RecordHeader = { encoding: 'zstd', rows: rowsIn(record), bytes: record.length };
  const room = Math.ceil(record.length / MAX_EXPANSION) - compressed.length - FRAME_HEADER_BYTES;
  const text = JSON.stringify({ ...header, ...sourceOf(record) }).padEnd(room);
  const encoded = Buffer.allocUnsafeSlow(FRAME_HEADER_BYTES + text.length + compressed.length);
  encoded.writeUInt32LE(SKIPPABLE_MAGIC, 0);
  encoded.writeUInt32LE(text.length, 4);
  encoded.write(text, FRAME_HEADER_BYTES, 'latin1');
  encoded.set(compressed, FRAME_HEADER_BYTES + text.length);
  return units(encoded) < units(record) ? encoded : record;
}

/**
 * The rows of a record, in whichever encoding it is.
 *
 * @throws RecordError `unknown_encoding` for one that a newer release wrote, `damaged_record`
 */
export function decodeRecord(record: Uint8Array): DecodedRecord {
  if (record[0] === OPENING_BRACE) return { rows: rowsIn(record), bytes: record };
  const { header, body } = readHeader(record);
  let bytes: Buffer;
  try {
    bytes = zstdDecompressSync(body, { maxOutputLength: header.bytes });
  } catch {
    throw damaged('its frame cannot be decompressed to the length that its header names');
  }
  if (bytes.length !== header.bytes) throw damaged('it is shorter than its header says');
  return { rows: header.rows, bytes };
}

/**
 * What a record says of itself; undefined for one that is not compressed.
 *
 * @throws RecordError
 */
export function recordHeader(record: Uint8Array): RecordHeader | undefined {
  return record[0] === OPENING_BRACE ? undefined : readHeader(record).header;
}

function readHeader(record: Uint8Array): { header: RecordHeader; body: Uint8Array } {
  const view = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  if (view.length < FRAME_HEADER_BYTES || view.readUInt32LE(0) !== SKIPPABLE_MAGIC) {
    throw damaged('it begins neither with a row nor with a header');
  }
  const end = FRAME_HEADER_BYTES + view.readUInt32LE(4);
  if (end > FRAME_HEADER_BYTES + MAX_HEADER_BYTES || end > view.length) {
    throw damaged('its header is longer than it may be');
  }
  let json: unknown;
  try {
    json = JSON.parse(view.toString('latin1', FRAME_HEADER_BYTES, end));
  } catch {
    throw damaged('its header is not JSON');
  }
  const { success, data } = Header.safeParse(json);
  if (!success) throw damaged('its header lacks a field');
  const { encoding, rows, bytes, source_id } = data;
  if (encoding !== 'zstd') {
    throw new RecordError(
      'unknown_encoding',
      'The record has an encoding of a newer release. Deploy that release again, then send it again.',
    );
  }
  const header: RecordHeader = {
    encoding,
    rows,
    bytes,
    ...(source_id !== undefined && { source_id }),
  };
  return { header, body: view.subarray(end) };
}

/** The source that all rows begin with. */
function sourceOf(record: Uint8Array): { source_id: string } | undefined {
  const rows = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  const head = rows.subarray(0, ROW_HEAD_BYTES);
  const [, source_id] = ROW_HEAD.exec(head.toString('latin1')) ?? [];
  if (source_id === undefined) return undefined;
  for (let at = rows.indexOf(NEWLINE); at >= 0; at = rows.indexOf(NEWLINE, at + 1)) {
    if (head.compare(rows, at + 1, at + 1 + head.length) !== 0) return undefined;
  }
  return { source_id };
}

function units(record: Uint8Array): number {
  return Math.ceil(record.length / BILLING_UNIT_BYTES);
}

function damaged(how: string): RecordError {
  return new RecordError('damaged_record', `The record is damaged: ${how}.`);
}
