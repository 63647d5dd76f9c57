import {
  GetHostedZoneCommand,
  ListResourceRecordSetsCommand,
  type Route53Client,
} from '@aws-sdk/client-route-53';
import type { Check } from '../check.ts';
import { physicalIds } from '../stacks.ts';
import { failed, isServiceError, ok, unchecked } from '../verdict.ts';

/** Whether the zone of `domain` takes the record of the API's name. */
export const hostedZone: Check = {
  name: 'Hosted zone',
  permissions: [
    'cloudformation:ListStackResources',
    'route53:GetHostedZone',
    'route53:ListResourceRecordSets',
  ],
  async run({ clients, config, planned }) {
    const zone = config.domain?.hostedZone;
    if (config.domain === undefined || zone === undefined) return ok('None is configured.');
    const { name } = config.domain;
    const file = `config/${config.environment}.ts`;
    try {
      const { HostedZone: found } = await clients.route53.send(
        new GetHostedZoneCommand({ Id: zone.id }),
      );
      if (found?.Name === undefined) return unchecked('Route 53 answered without the zone.');
      if (found.Name !== `${zone.name}.`) {
        return failed(
          `${zone.id} is the zone ${found.Name}, not ${zone.name}.`,
          `Set hostedZone in ${file} to the zone that you mean: aws route53 list-hosted-zones`,
        );
      }
      if (found.Config?.PrivateZone) {
        return failed(
          `${zone.id} is a private zone: neither clients nor the proof of a certificate find its records.`,
          `Set hostedZone in ${file} to a public zone: aws route53 list-hosted-zones`,
        );
      }
    } catch (error) {
      if (!isServiceError(error, 'NoSuchHostedZone')) throw error;
      return failed(
        `This account has no hosted zone ${zone.id}.`,
        `Set hostedZone in ${file} to one that it has: aws route53 list-hosted-zones`,
      );
    }
    const record = await addressRecord(clients.route53, zone.id, name);
    const owned = await Promise.all(
      planned.stacks.map((stack) => physicalIds(clients.cloudFormation, stack)),
    );
    if (record && !owned.flat().some((id) => id === name || id === `${name}.`)) {
      return failed(
        `The zone has a record for ${name} already, and CloudFormation makes none beside it.`,
        `Delete the record, or choose another name in ${file}.`,
      );
    }
    return ok(`${zone.name} (${zone.id}) takes ${name}.`);
  },
};

/** Whether a zone has an address, or another name, for a name. */
async function addressRecord(client: Route53Client, zone: string, name: string): Promise<boolean> {
  const { ResourceRecordSets = [] } = await client.send(
    new ListResourceRecordSetsCommand({
      HostedZoneId: zone,
      StartRecordName: name,
      StartRecordType: 'A',
      MaxItems: 10,
    }),
  );
  return ResourceRecordSets.some(
    ({ Name, Type }) => Name === `${name}.` && (Type === 'A' || Type === 'CNAME'),
  );
}
