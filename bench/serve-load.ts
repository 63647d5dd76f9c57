import { Client } from 'undici';

export interface LoadOptions {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly bodies: readonly Buffer[];
  readonly seconds: number;
}

export interface Load {
  /** Requests per second. */
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Posts bodies over connections, on each the next when the last was answered.
 *
 * @throws Error when an answer is not 200: what was refused says nothing about speed.
 */
export async function measureLoad(options: LoadOptions): Promise<Load> {
  const { origin, connections, seconds } = options;
  const latencies: number[] = [];
  const clients = Array.from({ length: connections }, () => new Client(origin, { pipelining: 1 }));
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let sent = 0;
  try {
    await Promise.all(
      clients.map(async (client) => {
        for (let from = performance.now(); from < endsAt; ) {
          await post(client, options, sent);
          sent += 1;
          const now = performance.now();
          latencies.push(now - from);
          from = now;
        }
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) =>
    latencies[Math.floor(share * latencies.length)] ?? Number.NaN;
  return {
    perSecond: latencies.length / elapsedSeconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
  };
}

async function post(client: Client, options: LoadOptions, number: number): Promise<void> {
  const { path, headers, bodies } = options;
  const body = bodies[number % bodies.length] ?? null;
  const answer = await client.request({ method: 'POST', path, headers, body });
  if (answer.statusCode !== 200) {
    throw new Error(`It answered ${answer.statusCode}: ${await answer.body.text()}`);
  }
  await answer.body.dump();
}
