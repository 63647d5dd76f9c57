// What a page's bundle does: pino in a browser hands its events to `transmit.send`.

import pino from 'pino/browser.js';
import { createPinoBrowserSend } from 'pino-logflare';

const { SLUICE_URL, SLUICE_KEY, SLUICE_SOURCE } = process.env;

const send = createPinoBrowserSend({
  apiKey: SLUICE_KEY,
  sourceToken: SLUICE_SOURCE,
  apiBaseUrl: SLUICE_URL,
});
const logger = pino({ browser: { write: () => {}, transmit: { level: 'info', send } } });

for (let number = 0; number < 5; number += 1) {
  logger.child({ page: '/cart' }).warn({ number }, `browser ${number}`);
}
