/** Resolves after so many milliseconds, or as soon as the signal aborts. Never rejects. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export const systemSleep: Sleep = (ms, signal) =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.max(0, ms));
    signal?.addEventListener('abort', wake, { once: true });
    if (signal?.aborted) wake();
  });
