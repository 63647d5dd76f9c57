/** As much of protobuf's encoding as one log record takes, so that this client needs no library. */

/** A `fixed64` field. */
export function field(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([Buffer.of((number << 3) | 1), bytes]);
}

/** A message inside a message. It may have 16,383 bytes, and its number may be 15. */
export function message(number: number, ...fields: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(fields);
  const length =
    content.length < 128
      ? Buffer.of(content.length)
      : Buffer.of((content.length & 127) | 128, content.length >> 7);
  return Buffer.concat([Buffer.of((number << 3) | 2), length, content]);
}

export function text(number: number, value: string): Buffer {
  return message(number, Buffer.from(value));
}
