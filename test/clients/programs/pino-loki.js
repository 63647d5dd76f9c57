import pino from 'pino';

const { SLUICE_URL, SLUICE_KEY } = process.env;

const transport = pino.transport({
  target: 'pino-loki',
  options: {
    host: SLUICE_URL,
    basicAuth: { username: 'any', password: SLUICE_KEY },
    labels: { app: 'shop' },
    batching: { interval: 1 },
  },
});
const logger = pino(transport);
for (let number = 0; number < 100; number += 1) logger.info({ number }, `loki ${number}`);
// What is not flushed is lost when a program ends at once.
setTimeout(() => {}, 3_000);
