import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startInterval } from '../../../src/platform/concurrency/interval.ts';
import { recordingLogger } from '../../http/support.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function tick(task: () => Promise<void>) {
  const { logger, lines } = recordingLogger();
  const stop = startInterval(task, { everyMs: 1000, logger, name: 'warm' });
  return { stop, lines };
}

test('runs the task once per interval, the first time after one', async () => {
  const task = vi.fn(async () => {});
  tick(task);

  await vi.advanceTimersByTimeAsync(999);
  expect(task).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(2001);

  expect(task).toHaveBeenCalledTimes(3);
});

test('never starts a run while another is under way', async () => {
  const first = Promise.withResolvers<void>();
  const task = vi.fn(() => first.promise);
  tick(task);

  await vi.advanceTimersByTimeAsync(5000);
  expect(task).toHaveBeenCalledTimes(1);
  first.resolve();
  await vi.advanceTimersByTimeAsync(1000);

  expect(task).toHaveBeenCalledTimes(2);
});

test('logs a failed run and goes on', async () => {
  const failure = new Error('throttled');
  const task = vi.fn(() => Promise.reject(failure));
  const { lines } = tick(task);

  await vi.advanceTimersByTimeAsync(2000);

  expect(task).toHaveBeenCalledTimes(2);
  expect(lines[0]).toEqual({
    level: 'error',
    message: 'periodic task failed',
    fields: { task: 'warm', error: failure },
  });
});

test('stopping waits for the run under way and starts no other', async () => {
  const first = Promise.withResolvers<void>();
  const task = vi.fn(() => first.promise);
  const { stop } = tick(task);
  await vi.advanceTimersByTimeAsync(1000);
  let stopped = false;

  const stopping = stop().then(() => {
    stopped = true;
  });
  await vi.advanceTimersByTimeAsync(5000);
  expect(stopped).toBe(false);
  first.resolve();
  await stopping;
  await vi.advanceTimersByTimeAsync(5000);

  expect(task).toHaveBeenCalledTimes(1);
});

test('stopping between runs ends the series', async () => {
  const task = vi.fn(async () => {});
  const { stop } = tick(task);

  await stop();
  await vi.advanceTimersByTimeAsync(5000);

  expect(task).not.toHaveBeenCalled();
});
