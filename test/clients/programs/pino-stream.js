// The stream of pino-logflare for programs that hand pino a stream of their own.
import { once } from 'node:events';
import pino from 'pino';
import { createWriteStream, defaultPreparePayload } from 'pino-logflare';

const { SLUICE_URL, SLUICE_KEY, SLUICE_SOURCE } = process.env;

const stream = createWriteStream({
  apiKey: SLUICE_KEY,
  sourceToken: SLUICE_SOURCE,
  apiBaseUrl: SLUICE_URL,
  size: 10,
  onPreparePayload: (payload, meta) => ({
    ...defaultPreparePayload(payload, meta),
    project: 'shop',
  }),
});
const logger = pino({ level: 'trace' }, stream);

for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) {
  logger[level]({ was: level }, `stream ${level}`);
}
const child = logger.child({ service: 'cart', requestId: 'r-1' });
for (let number = 0; number < 50; number += 1) child.info({ number }, `stream ${number}`);
child.error(new TypeError('no such item'), 'stream failed');

stream.end();
await once(stream, 'finish');
