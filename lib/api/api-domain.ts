import { CfnOutput } from 'aws-cdk-lib';
import {
  ApiMapping,
  DomainName,
  EndpointType,
  type HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Certificate,
  CertificateValidation,
  type ICertificate,
} from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { DomainSettings } from './domain-settings.ts';

export interface ApiDomainProps {
  readonly domain: DomainSettings;
  readonly stage: HttpStage;
}

/**
 * The API under a name of its own, TLS 1.2 or later. The address that AWS gave the API goes on
 * answering, so that moving to a name and away from it interrupts nobody.
 */
export class ApiDomain extends Construct {
  /** Where clients find the API, with a slash at its end. */
  readonly url: string;

  constructor(scope: Construct, id: string, { domain, stage }: ApiDomainProps) {
    super(scope, id);
    const zone =
      domain.hostedZone &&
      HostedZone.fromHostedZoneAttributes(this, 'Zone', {
        hostedZoneId: domain.hostedZone.id,
        zoneName: domain.hostedZone.name,
      });
    const certificate: ICertificate =
      domain.certificateArn !== undefined
        ? Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn)
        : new Certificate(this, 'Certificate', {
            domainName: domain.name,
            validation: CertificateValidation.fromDns(zone),
          });
    const name = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate,
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, 'Mapping', { api: stage.api, stage, domainName: name });
    if (zone !== undefined) {
      const target = RecordTarget.fromAlias(
        new ApiGatewayv2DomainProperties(name.regionalDomainName, name.regionalHostedZoneId),
      );
      // The trailing dot says that the name is whole and not to be continued with the zone's.
      new ARecord(this, 'Ipv4', { zone, recordName: `${domain.name}.`, target });
    }
    new CfnOutput(this, 'DomainTarget', {
      description: `What ${domain.name} has to point to`,
      value: name.regionalDomainName,
    });
    this.url = `https://${domain.name}/`;
  }
}
