import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { snappyCompress } from 'hysnappy';

/** Push requests of Loki in protobuf, as Promtail sends them. */

export interface PushEntry {
  readonly seconds: number;
  readonly nanos: number;
  readonly line: string;
  readonly structured?: Readonly<Record<string, string>>;
}

export interface PushStream {
  readonly labels: string;
  readonly entries: readonly PushEntry[];
}

/** A `PushRequest`, compressed with snappy. */
export function pushRequest(streams: readonly PushStream[]): Uint8Array {
  return new Uint8Array(snappyCompress(plainPushRequest(streams)));
}

export function plainPushRequest(streams: readonly PushStream[]): Uint8Array {
  const request = new BinaryWriter();
  for (const stream of streams) request.tag(1, 2).bytes(streamBytes(stream));
  return request.finish();
}

function streamBytes({ labels, entries }: PushStream): Uint8Array {
  const stream = new BinaryWriter().tag(1, 2).string(labels);
  for (const entry of entries) stream.tag(2, 2).bytes(entryBytes(entry));
  // What Promtail does not know: the stream's hash.
  return stream.tag(3, 0).uint64(7).finish();
}

function entryBytes({ seconds, nanos, line, structured = {} }: PushEntry): Uint8Array {
  const time = new BinaryWriter().tag(1, 0).int64(seconds).tag(2, 0).int32(nanos).finish();
  const entry = new BinaryWriter().tag(1, 2).bytes(time).tag(2, 2).string(line);
  for (const [name, value] of Object.entries(structured)) {
    const pair = new BinaryWriter().tag(1, 2).string(name).tag(2, 2).string(value).finish();
    entry.tag(3, 2).bytes(pair);
  }
  return entry.finish();
}
