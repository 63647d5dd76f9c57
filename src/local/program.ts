import { systemClock } from '../platform/clock.ts';
import { createLogger, type LeveledLogger } from '../platform/log.ts';
import { banner } from './banner.ts';
import { type LocalConfig, readConfig, StartError } from './config.ts';
import { type LocalServer, startServer } from './server.ts';

/**
 * `npm` passes Ctrl-C on to a process that the terminal has already signalled, so two signals this
 * close together are one request to stop.
 */
const SAME_REQUEST_MS = 500;

/**
 * For everything that a stop waits for; then the process kills itself, which loses nothing that was
 * acknowledged. Container runtimes do so after 10 s, and freeing much memory takes a part of them.
 */
const STOP_LIMIT_MS = 7_500;

try {
  await run(readConfig(process.env));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function run(config: LocalConfig): Promise<void> {
  const logger = createLogger({ clock: systemClock, level: config.logLevel });
  process.on('unhandledRejection', (error) => {
    // The state of whatever was awaited is unknown; acknowledged events are on disk.
    logger.error('unhandled rejection', { error });
    process.exit(1);
  });

  const server = await startServer(config, { logger });
  stopOnSignals(server, logger);
  process.stdout.write(
    banner({
      url: server.url,
      dataDirectory: config.dataDirectory,
      generatedKey: server.adminKey,
    }),
  );
}

function stopOnSignals(server: LocalServer, logger: LeveledLogger): void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    const now = systemClock.now();
    if (firstAt === undefined) {
      firstAt = now;
      logger.info('stopping', { signal });
      void stop(server, logger);
    } else if (now - firstAt > SAME_REQUEST_MS) {
      logger.warn('stopping at once', { signal });
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function stop(server: LocalServer, logger: LeveledLogger): Promise<void> {
  setTimeout(() => {
    logger.error('the service does not stop in time and is killed', { afterMs: STOP_LIMIT_MS });
    // An exit would wait for the threads of statements that do not heed their interruption.
    process.kill(process.pid, 'SIGKILL');
  }, STOP_LIMIT_MS).unref();
  await server.close();
  logger.info('stopped');
  process.exit(0);
}
