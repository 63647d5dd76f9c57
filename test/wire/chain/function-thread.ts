/**
 * One instance of a function, in a thread of its own as on Lambda it is in a process of its own: nothing
 * that it keeps in memory is seen by another one.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { timeIn } from './clock.ts';

const { bundle, clock } = workerData as { bundle: string; clock: SharedArrayBuffer };

// The functions read the time by this alone; the SDK signs with it, and no stand-in minds.
Date.now = timeIn(clock);

const { handler } = await import(bundle);

parentPort?.on('message', async (event: unknown) => {
  try {
    parentPort?.postMessage({ answer: await handler(event) });
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.stack : String(error) });
  }
});
