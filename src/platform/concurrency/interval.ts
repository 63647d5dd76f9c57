import type { Logger } from '../log.ts';

/**
 * Runs a task over and over: the pause is counted from the end of one run to the start of the next,
 * so runs never overlap, and a failed run is logged and does not end the series.
 *
 * @returns stops the series and waits for a run that is under way.
 */
export function startInterval(
  task: () => Promise<void>,
  options: { readonly everyMs: number; readonly logger: Logger; readonly name: string },
): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let running = Promise.resolve();
  let stopped = false;

  const run = async (): Promise<void> => {
    try {
      await task();
    } catch (error) {
      options.logger.error('periodic task failed', { task: options.name, error });
    }
    if (!stopped) schedule();
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = run();
    }, options.everyMs);
    // A pending tick is no reason for the process to live on.
    timer.unref();
  };

  schedule();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
