import {
  paginateListAWSDefaultServiceQuotas,
  paginateListServiceQuotas,
  type ServiceQuota,
  type ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';

export const QUOTA_PERMISSIONS = [
  'servicequotas:ListServiceQuotas',
  'servicequotas:ListAWSDefaultServiceQuotas',
] as const;

/**
 * A quota as it applies to the account; AWS's default where nothing was applied. Undefined if Service Quotas
 * does not list one of that name.
 *
 * @throws errors of the SDK
 */
export async function quotaNamed(
  client: ServiceQuotasClient,
  service: string,
  name: string,
): Promise<ServiceQuota | undefined> {
  const settings = { client, stopOnSameToken: true };
  const input = { ServiceCode: service };
  for (const paginate of [paginateListServiceQuotas, paginateListAWSDefaultServiceQuotas]) {
    for await (const { Quotas = [] } of paginate(settings, input)) {
      const quota = Quotas.find(
        ({ QuotaName, Value }) => QuotaName === name && Value !== undefined,
      );
      if (quota !== undefined) return quota;
    }
  }
  return undefined;
}

/** The command that asks AWS for a larger quota. */
export function raiseQuota(service: string, code: string, value: number, region: string): string {
  return `aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${value} --region ${region}`;
}
