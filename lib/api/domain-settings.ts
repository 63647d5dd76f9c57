import * as z from 'zod';

const hostname = z
  .string()
  .regex(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'must be a host name in small letters, such as logs.example.com',
  );

/** The API's own name, and what proves that it is yours. */
export const Domain = z.strictObject({
  /** Host name that clients use. */
  name: hostname,
  /**
   * Certificate for the name in ACM, in the Region of the API.
   *
   * @default one is made, and proved through the hosted zone
   */
  certificateArn: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
      'must be the ARN of a certificate in ACM',
    )
    .optional(),
  /**
   * Public hosted zone in Route 53 that gets a record for the name.
   *
   * @default no record is made; point the name at the output `DomainTarget` with a CNAME
   */
  hostedZone: z
    .strictObject({ id: z.string().regex(/^Z[A-Z0-9]+$/, 'must begin with Z'), name: hostname })
    .optional(),
});

export type DomainSettings = z.output<typeof Domain>;

/** What is wrong with a domain as a whole; undefined if nothing is. */
export function domainFault(
  { name, certificateArn, hostedZone }: DomainSettings,
  {
    account,
    region,
  }: { readonly account?: string | undefined; readonly region?: string | undefined },
): string | undefined {
  if (certificateArn === undefined && hostedZone === undefined) {
    return 'needs certificateArn, or a hostedZone in which a new certificate can be proved';
  }
  const [, , , certified, owner] = certificateArn?.split(':') ?? [];
  if (owner !== undefined && account !== undefined && owner !== account) {
    return `has a certificate of account ${owner}, but the API is in ${account}`;
  }
  if (certified !== undefined && region !== undefined && certified !== region) {
    return `has a certificate in ${certified}, but the API is in ${region}: an HTTP API needs one of its own Region`;
  }
  const zone = hostedZone?.name;
  if (zone !== undefined && name !== zone && !name.endsWith(`.${zone}`)) {
    return `is ${name}, which is not within the hosted zone ${zone}`;
  }
  return undefined;
}
