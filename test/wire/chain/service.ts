import { inject } from 'vitest';
import type { DefaultRates } from '../../../src/ingest/limits/token-bucket.ts';
import { Client } from '../../e2e/support/client.ts';
import { ADMIN_KEY, type Running } from '../../e2e/support/server.ts';
import type { StoppedService } from '../../e2e/support/stopped-clock.ts';
import { Chain, type ChainOptions } from './chain.ts';

/** The chain as end-to-end tests use a service. */
export async function startChainService(directory: string, rates?: DefaultRates): Promise<Running> {
  return running(await startChain({ directory, ...(rates && { rates }) }));
}

/** The same at a time of the test's choosing. */
export async function startChainAt(stoppedAt: string, directory: string): Promise<StoppedService> {
  const chain = await startChain({ directory, stoppedAt });
  return {
    ...running(chain),
    clock: {
      now: chain.clock.now,
      advance: (seconds) => chain.clock.advance(seconds * 1_000),
    },
    warm: async () => {
      await chain.settle();
      await chain.invoke('warmer', {});
    },
    checkAlerts: async () => {
      await chain.settle();
      await chain.invoke('alerts', {});
    },
    compact: async () => {
      await chain.settle();
      await chain.invoke('compaction', {});
    },
  };
}

/** A chain whose shipped sources and endpoints and whose admin key are in place. */
export async function startChain(
  options: Pick<ChainOptions, 'directory' | 'stoppedAt' | 'rates' | 'dynamodb' | 'beside'>,
): Promise<Chain> {
  const chain = await Chain.start({
    ...options,
    deployment: inject('deployment'),
    trino: inject('trino'),
    moto: inject('moto'),
  });
  await chain.invoke('bootstrap', { adminKey: ADMIN_KEY });
  return chain;
}

function running(chain: Chain): Running {
  const settle = () => chain.settle();
  return {
    sluice: new Client(chain.url, ADMIN_KEY, settle),
    settle,
    close: async () => {
      await chain.close();
      if (chain.delivery.failed.length > 0) {
        throw new Error(`Firehose could not convert: ${chain.delivery.failed.join('; ')}`);
      }
    },
  };
}
