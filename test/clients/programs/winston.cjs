// The package's `main` names a file that it does not have, so the file is named here.
const LogflareTransport = require('winston-logflare/dist/main.js');
const winston = require('winston');

const { SLUICE_URL, SLUICE_KEY, SLUICE_SOURCE } = process.env;

const logger = winston.createLogger({
  level: 'info',
  format: winston.format.json(),
  defaultMeta: { env: 'staging' },
  transports: [
    new LogflareTransport({
      apiKey: SLUICE_KEY,
      sourceToken: SLUICE_SOURCE,
      apiBaseUrl: SLUICE_URL,
    }),
  ],
});

for (let number = 0; number < 100; number += 1) {
  logger.log('info', `winston ${number}`, { number, property: 'Zoë' });
}
logger.log('error', 'winston error');
logger.log('debug', 'below the level');
