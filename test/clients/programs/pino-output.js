// Knows nothing of Logflare: prints pino's lines, which `pino-logflare` reads from a pipe.
import pino from 'pino';

const logger = pino();

for (let number = 0; number < 30; number += 1) logger.info({ number }, `piped ${number}`);
logger.child({ property: 'value' }).info('piped child');
