import { Client } from 'undici';

export interface LoadOptions {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Sent in turns. */
  readonly bodies: readonly Buffer[];
  readonly requests: number;
}

export interface Load {
  readonly seconds: number;
  /** Milliseconds from a request to its answer. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Posts bodies over connections, on each the next when the last was answered.
 *
 * @throws Error when an answer is no success: what was refused says nothing about speed.
 */
export async function measureLoad(options: LoadOptions): Promise<Load> {
  const { origin, connections, requests } = options;
  const latencies: number[] = [];
  const clients = Array.from({ length: connections }, () => new Client(origin, { pipelining: 1 }));
  const startedAt = performance.now();
  let sent = 0;
  try {
    await Promise.all(
      clients.map(async (client) => {
        while (sent < requests) {
          const number = sent;
          sent += 1;
          const from = performance.now();
          await post(client, options, number);
          latencies.push(performance.now() - from);
        }
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) =>
    latencies[Math.floor(share * latencies.length)] ?? Number.NaN;
  return { seconds, p50: percentile(0.5), p99: percentile(0.99) };
}

async function post(client: Client, options: LoadOptions, number: number): Promise<void> {
  const { path, headers, bodies } = options;
  const body = bodies[number % bodies.length] ?? null;
  const answer = await client.request({ method: 'POST', path, headers, body });
  if (answer.statusCode >= 300) {
    throw new Error(`It answered ${answer.statusCode}: ${await answer.body.text()}`);
  }
  await answer.body.dump();
}
