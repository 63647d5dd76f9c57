import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

interface Sent {
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** Sends a GET over a socket, since the Fetch API does not let a GET have a body. */
export async function getWithBody(url: string, { headers, body }: Sent) {
  const outgoing = request(url, {
    headers: {
      'Content-Type': 'application/json',
      // Without a length Node sends no body with GET.
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}
