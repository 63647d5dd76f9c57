import type { LimitedServer } from './server.ts';

const EVERY_MS = 100;
/** A probe that is not answered in this time counts as lasting as long. */
const PROBE_TIMEOUT_MS = 30_000;

/** Worst latencies, milliseconds; probes that failed count until they failed. */
export interface Probed {
  readonly healthMs: number;
  readonly ingestMs: number;
  readonly failed: number;
}

/** Asks a server for its health and sends it events, one of each at a time, until it is stopped. */
export function startProber(server: LimitedServer): () => Promise<Probed> {
  const stopping = new AbortController();
  let failed = 0;
  const probe = async (send: (signal: AbortSignal) => Promise<Response>): Promise<number> => {
    let worst = 0;
    while (!stopping.signal.aborted) {
      const from = performance.now();
      try {
        const answer = await send(AbortSignal.timeout(PROBE_TIMEOUT_MS));
        await answer.text();
        if (answer.status !== 200) failed += 1;
      } catch {
        failed += 1;
      }
      worst = Math.max(worst, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    return worst;
  };
  const health = probe((signal) => fetch(`${server.origin}/health`, { signal }));
  const ingest = probe((signal) =>
    fetch(`${server.origin}/logs?source_name=cloudflare.logs.prod`, {
      method: 'POST',
      headers: { ...server.headers, 'Content-Type': 'application/json' },
      body: '{"event_message":"probe","project":"probe"}',
      signal,
    }),
  );
  return async () => {
    stopping.abort();
    return { healthMs: await health, ingestMs: await ingest, failed };
  };
}
