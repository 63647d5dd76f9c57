const winston = require('winston');
const LokiTransport = require('winston-loki');

const { SLUICE_URL, SLUICE_KEY } = process.env;

const transport = new LokiTransport({
  host: SLUICE_URL,
  basicAuth: `any:${SLUICE_KEY}`,
  labels: { app: 'shop' },
  json: process.argv[2] === 'json',
  interval: 1,
  format: winston.format.simple(),
});
const logger = winston.createLogger({ transports: [transport] });
for (let number = 0; number < 100; number += 1) logger.info(`loki ${number}`);
transport.flush().then(() => process.exit(0));
