/**
 * The message that stands for one spilled record: the bytes that the stream did not take, to be put on
 * it as they are. One record, and not several, because Firehose takes or refuses whole records: a
 * message is then either done or not, and never sent again in part.
 */
import * as z from 'zod/mini';
import { MAX_RECORD_BYTES } from '../record/pack.ts';

/** SQS takes 1 MiB per message and per batch of messages (256 KiB until August 2025). */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The record in base64, or the name of the object that is the record. */
export type SpilledRecord =
  | { readonly v: 2; readonly record: string }
  | { readonly v: 2; readonly object: string };

/** Names that the service gives; nothing in a message can lead out of the prefix. */
const OBJECT_NAME = /^\d{4}-\d{2}-\d{2}\/[0-9a-f-]{36}$/;

const Message = z.union([
  z.strictObject({ v: z.literal(2), record: z.string() }),
  z.strictObject({ v: z.literal(2), object: z.string().check(z.regex(OBJECT_NAME)) }),
]);

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

/**
 * The record itself. One that Firehose could never take would have it refuse those beside it, too.
 *
 * @throws RangeError when it is empty or larger than a record may be
 */
export function checkedRecord(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0 || bytes.length > MAX_RECORD_BYTES) {
    throw new RangeError(`A spilled record has ${bytes.length} bytes.`);
  }
  return bytes;
}
