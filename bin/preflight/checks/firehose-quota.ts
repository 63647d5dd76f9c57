import { type FirehoseClient, ListDeliveryStreamsCommand } from '@aws-sdk/client-firehose';
import type { Check } from '../check.ts';
import { QUOTA_PERMISSIONS, quotaNamed, raiseQuota } from '../quotas.ts';
import { failed, ok, unchecked } from '../verdict.ts';

const QUOTA = 'Delivery streams';

/** Regions where a stream takes 5 MiB/s unless more was asked for; elsewhere it is 1 MiB/s. */
const FAST_REGIONS: readonly string[] = ['us-east-1', 'us-west-2', 'eu-west-1'];

/** Whether the account may have more streams, and what one takes by default. */
export const firehoseQuota: Check = {
  name: 'Firehose streams',
  permissions: ['firehose:ListDeliveryStreams', ...QUOTA_PERMISSIONS],
  async run({ clients, planned, region }) {
    const wanted = planned.names.filter(({ type }) => type === 'stream').map(({ name }) => name);
    const existing = await streamNames(clients.firehose);
    const quota = await quotaNamed(clients.quotas, 'firehose', QUOTA);
    if (quota?.Value === undefined) {
      return unchecked(`Service Quotas lists no quota "${QUOTA}" of Firehose here.`);
    }
    const all = new Set([...existing, ...wanted]).size;
    const says = `${existing.length} of ${quota.Value} streams exist`;
    if (all > quota.Value) {
      return failed(
        `${says}, and the environment needs ${wanted.length}.`,
        ...(quota.QuotaCode ? [raiseQuota('firehose', quota.QuotaCode, all, region)] : []),
        'Or delete streams that nobody uses: aws firehose list-delivery-streams',
      );
    }
    // Service Quotas does not tell what one stream takes.
    const mebibytes = FAST_REGIONS.includes(region) ? 5 : 1;
    return ok(`${says}. By AWS's default here, one takes ${mebibytes} MiB/s.`);
  },
};

async function streamNames(client: FirehoseClient): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const last = names.at(-1);
    const { DeliveryStreamNames = [], HasMoreDeliveryStreams } = await client.send(
      new ListDeliveryStreamsCommand({
        Limit: 100,
        ...(last === undefined ? {} : { ExclusiveStartDeliveryStreamName: last }),
      }),
    );
    names.push(...DeliveryStreamNames);
    // An empty page that promises more would be asked for again for ever.
    if (!HasMoreDeliveryStreams || DeliveryStreamNames.length === 0) return names;
  }
}
