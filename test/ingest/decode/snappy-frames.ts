import { snappyCompress } from 'hysnappy';

/** A chunk of snappy's framing format, with a checksum that is not right. */
export function chunk(type: number, data: string | Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.alloc(4), Buffer.from(data)]);
  const header = Buffer.from([type, 0, 0, 0]);
  header.writeUIntLE(content.length, 1, 3);
  return Buffer.concat([header, content]);
}

/** A stream in that format, each part compressed in a chunk of its own. */
export function framed(...parts: readonly (string | Uint8Array)[]): Buffer {
  const chunks = parts.map((part) => chunk(0x00, snappyCompress(Buffer.from(part))));
  return Buffer.concat([Buffer.from('\xff\x06\x00\x00sNaPpY', 'latin1'), ...chunks]);
}
