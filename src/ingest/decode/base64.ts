/** Base64 (RFC 4648 4), as JSON carries bytes. */

const BASE64 = /^[A-Za-z\d+/]*={0,2}$/;

/** The bytes of a text; undefined when it is not base64, of which Node would skip what does not fit. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  return text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}
