import { inject } from 'vitest';
import { PROMOTED_FIELDS_RESOURCE } from '../../../lambdas/custom-resource.ts';
import type { DefaultRates } from '../../../src/limits/quota.ts';
import { Client } from '../../e2e/support/client.ts';
import { ADMIN_KEY, type Running } from '../../e2e/support/server.ts';
import type { StoppedService } from '../../e2e/support/stopped-clock.ts';
import { Chain, type ChainOptions } from './chain.ts';
import { callCustomResource } from './custom-resource.ts';

/** The chain as end-to-end tests use a service. */
export async function startChainService(directory: string, rates?: DefaultRates): Promise<Running> {
  return running(await startChain({ directory, ...(rates && { rates }) }));
}

/** The same at a time of the test's choosing. */
export async function startChainAt(
  stoppedAt: string,
  directory: string,
  promotedFields: string,
): Promise<StoppedService> {
  const chain = await startChain({ directory, stoppedAt, promotedFields });
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
    compact: async () => {
      await chain.settle();
      await chain.invoke('compaction', {});
    },
  };
}

/** A chain whose shipped sources and endpoints and whose admin key are in place. */
export async function startChain(
  options: Pick<ChainOptions, 'directory' | 'stoppedAt' | 'rates' | 'dynamodb' | 'promotedFields'>,
): Promise<Chain> {
  const chain = await Chain.start({
    ...options,
    deployment: inject('deployment'),
    trino: inject('trino'),
    moto: inject('moto'),
  });
  await changeFields(chain, options);
  await chain.invoke('bootstrap', { adminKey: ADMIN_KEY });
  return chain;
}

/** Promoted fields of each deployment, by its directory. */
const promoted = new Map<string, string>();

/** What a deployment does first when its promoted fields are others than before. */
async function changeFields(
  chain: Chain,
  { directory, promotedFields }: Pick<ChainOptions, 'directory' | 'promotedFields'>,
): Promise<void> {
  const before = promoted.get(directory);
  const after = promotedFields || 'none';
  promoted.set(directory, after);
  if (after === (before ?? 'none')) return;
  await callCustomResource((event) => chain.invoke('bootstrap', event), {
    RequestType: before === undefined ? 'Create' : 'Update',
    ResourceType: PROMOTED_FIELDS_RESOURCE,
    ResourceProperties: { Fields: after },
    ...(before === undefined ? {} : { OldResourceProperties: { Fields: before } }),
  });
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
