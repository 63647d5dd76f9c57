/**
 * The message that stands for one spilled record. One record, and not several, because Firehose takes
 * or refuses whole records: a message is then either done or not, and never sent again in part.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod/mini';
import { MAX_RECORD_BYTES } from '../record/pack.ts';

/** SQS takes 1 MiB per message and per batch of messages (256 KiB until August 2025). */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The record is compressed, in the message or in an object whose name the message has. */
export type SpilledRecord =
  | { readonly v: 1; readonly gzip: string }
  | { readonly v: 1; readonly object: string };

/** Names that the service gives; nothing in a message can lead out of the prefix. */
const OBJECT_NAME = /^\d{4}-\d{2}-\d{2}\/[0-9a-f-]{36}\.gz$/;

const Message = z.union([
  z.strictObject({ v: z.literal(1), gzip: z.string().check(z.minLength(1)) }),
  z.strictObject({ v: z.literal(1), object: z.string().check(z.regex(OBJECT_NAME)) }),
]);

/** The fastest level: on Lambda a better one would take longer than it saves on the way. */
export function compressRecord(record: Uint8Array): Promise<Buffer> {
  return promisify(gzip)(record, { level: 1 });
}

/**
 * The record in compressed bytes.
 *
 * @throws Error when the bytes are damaged, empty, or more than one record
 */
export async function expandRecord(bytes: Uint8Array): Promise<Uint8Array> {
  const record = await promisify(gunzip)(bytes, { maxOutputLength: MAX_RECORD_BYTES });
  if (record.length === 0) throw new RangeError('A spilled record is empty.');
  return record;
}

/** Text of a message. */
export function messageText(message: SpilledRecord): string {
  return JSON.stringify(message);
}

/**
 * Reads a message's text.
 *
 * @throws Error when it is no message of this version
 */
export function readMessage(text: string): SpilledRecord {
  return Message.parse(JSON.parse(text));
}
