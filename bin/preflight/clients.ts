/** The clients of AWS that the checks ask. Only operators load them. */
import { ACMClient } from '@aws-sdk/client-acm';
import { AthenaClient } from '@aws-sdk/client-athena';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { FirehoseClient } from '@aws-sdk/client-firehose';
import { GlueClient } from '@aws-sdk/client-glue';
import { LakeFormationClient } from '@aws-sdk/client-lakeformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';

export type Clients = ReturnType<typeof createClients>;

/** Clients for one Region, with the credentials of the environment or of its profile. */
export function createClients(region: string) {
  const settings = {
    region,
    // A person waits: an endpoint that does not exist or a proxy that swallows calls is told soon.
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 10_000,
      socketTimeout: 10_000,
      throwOnRequestTimeout: true,
    },
  };
  return {
    acm: new ACMClient(settings),
    athena: new AthenaClient(settings),
    cloudFormation: new CloudFormationClient(settings),
    firehose: new FirehoseClient(settings),
    glue: new GlueClient(settings),
    lakeFormation: new LakeFormationClient(settings),
    lambda: new LambdaClient(settings),
    logs: new CloudWatchLogsClient(settings),
    quotas: new ServiceQuotasClient(settings),
    route53: new Route53Client(settings),
    secrets: new SecretsManagerClient(settings),
    ssm: new SSMClient(settings),
    sts: new STSClient(settings),
  };
}
