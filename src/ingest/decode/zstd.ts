import { constants, type Zlib, type ZstdOptions, zstdDecompress } from 'node:zlib';

/** RFC 9659 3: 8 MB, so that a few bytes cannot ask for the 128 MB that the format has. */
const MAX_WINDOW_LOG = 23;

const PARAMS = { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG };

/** Frames of one body. Nearly all bodies have one; empty ones take nine bytes, and each is a call. */
const MAX_FRAMES = 1000;

/**
 * The content of zstd data. Node stops at the end of the first frame, and RFC 8878 3 lets any number follow.
 *
 * @returns at most one byte more than maxBytes.
 * @throws Error for what is not valid; with the code `ERR_BUFFER_TOO_LARGE` past maxBytes of output.
 */
export async function decompressZstd(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const frames: Buffer[] = [];
  let at = 0;
  let length = 0;
  do {
    if (frames.length === MAX_FRAMES) throw new Error(`There are more than ${MAX_FRAMES} frames.`);
    // Node takes no limit of 0; a byte too many is found by the caller.
    const frame = await nextFrame(body.subarray(at), Math.max(1, maxBytes - length));
    frames.push(frame.content);
    length += frame.content.length;
    at += frame.bytes;
  } while (at < body.length);
  return frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames);
}

interface Frame {
  readonly content: Buffer;
  /** How long it is as it was sent. */
  readonly bytes: number;
}

/** With `info` the callback gets the engine as well, which its declared type leaves out. */
interface Result {
  readonly buffer: Buffer;
  readonly engine: Pick<Zlib, 'bytesWritten'>;
}

function nextFrame(body: Uint8Array, maxOutputLength: number): Promise<Frame> {
  const options: ZstdOptions = { info: true, maxOutputLength, params: PARAMS };
  return new Promise((resolve, reject) => {
    zstdDecompress(body, options, (error, result) => {
      if (error !== null) {
        reject(error);
        return;
      }
      const { buffer, engine } = result as unknown as Result;
      resolve({ content: buffer, bytes: engine.bytesWritten });
    });
  });
}
