import { describe, expect, test } from 'vitest';
import { systemSleep } from '../../../src/platform/concurrency/sleep.ts';

const FOREVER_MS = 2 ** 31 - 1;

describe('systemSleep', () => {
  test('ends by itself', async () => {
    await expect(systemSleep(1)).resolves.toBeUndefined();
    await expect(systemSleep(-1)).resolves.toBeUndefined();
  });

  test('ends when its signal aborts', async () => {
    const controller = new AbortController();
    const sleeping = systemSleep(FOREVER_MS, controller.signal);
    controller.abort();
    await expect(sleeping).resolves.toBeUndefined();
  });

  test('does not begin when its signal has aborted', async () => {
    await expect(systemSleep(FOREVER_MS, AbortSignal.abort())).resolves.toBeUndefined();
  });
});
