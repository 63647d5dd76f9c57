/** Started by `serve.ts`: the least that a server of JSON events must do. */
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [mode, directory = ''] = process.argv.slice(2);
const file = mode === 'fsync' ? await open(join(directory, 'events'), 'a') : undefined;

async function take(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const events = JSON.parse(body.toString());
  await file?.appendFile(body);
  await file?.datasync();
  return events;
}

const server = createServer(async (request, response) => {
  const events = await take(request);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ message: Array.isArray(events) ? 'Logged!' : 'What?' }));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
