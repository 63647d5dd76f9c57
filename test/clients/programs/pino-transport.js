// The transport of pino 7 and later: a worker thread that collects batches.
import pino from 'pino';

const { SLUICE_URL, SLUICE_KEY, SLUICE_SOURCE, SLUICE_COUNT, SLUICE_BATCH_SIZE } = process.env;

const module = new URL('pino-callbacks.cjs', import.meta.url).pathname;

const transport = pino.transport({
  target: 'pino-logflare',
  options: {
    apiKey: SLUICE_KEY,
    sourceToken: SLUICE_SOURCE,
    apiBaseUrl: SLUICE_URL,
    batchSize: Number(SLUICE_BATCH_SIZE),
    // No batch is sent because of the time that a busy machine takes.
    batchTimeout: 60_000,
    onError: { module, method: 'report' },
    onPreparePayload: { module, method: 'withId' },
  },
});
const logger = pino(transport);

for (let number = 0; number < Number(SLUICE_COUNT); number += 1) {
  logger.info({ number, user: { name: 'Zoë' } }, `transport ${number}`);
}
// The program ends here: what the transport still holds is sent while it closes.
