import { DescribeCertificateCommand } from '@aws-sdk/client-acm';
import type { Check } from '../check.ts';
import { failed, isServiceError, ok, unchecked } from '../verdict.ts';

/** Whether the certificate of `domain` can be used for the API's name in this Region. */
export const certificate: Check = {
  name: 'Certificate',
  permissions: ['acm:DescribeCertificate'],
  async run({ clients, config, region }) {
    const { domain } = config;
    if (domain === undefined) return ok('No domain is configured.');
    if (domain.certificateArn === undefined) return ok('The deployment makes one.');
    const mend = `Set certificateArn in config/${config.environment}.ts to one that is: aws acm list-certificates --region ${region}`;
    if (domain.certificateArn.split(':')[3] !== region) {
      return failed(`It is not one of ${region}, which an HTTP API needs.`, mend);
    }
    try {
      const { Certificate: found } = await clients.acm.send(
        new DescribeCertificateCommand({ CertificateArn: domain.certificateArn }),
      );
      if (found?.Status === undefined) return unchecked('ACM answered without the certificate.');
      if (found.Status !== 'ISSUED') {
        return failed(`Its state is ${found.Status}, and has to be ISSUED.`, mend);
      }
      const certified = [found.DomainName ?? '', ...(found.SubjectAlternativeNames ?? [])];
      if (!certified.some((pattern) => covers(pattern.toLowerCase(), domain.name))) {
        return failed(
          `It is for ${[...new Set(certified)].join(', ')}, not for ${domain.name}.`,
          mend,
        );
      }
      return ok(`It is issued for ${domain.name}.`);
    } catch (error) {
      if (!isServiceError(error, 'ResourceNotFoundException')) throw error;
      return failed('This account has no such certificate.', mend);
    }
  },
};

/** Whether a name of a certificate holds for a host; an asterisk stands for one label. */
function covers(pattern: string, host: string): boolean {
  return pattern.startsWith('*.')
    ? host.slice(host.indexOf('.')) === pattern.slice(1)
    : pattern === host;
}
