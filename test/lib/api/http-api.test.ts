import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Config, loadConfig } from '../../../lib/config.ts';
import { only, resources, synthesise, text } from '../stacks.ts';

let service: Template;
beforeAll(() => {
  ({ service } = synthesise());
});

/** Function that a route calls, by route key. */
function targets(): Record<string, string> {
  const integrations = resources(service, 'AWS::ApiGatewayV2::Integration');
  return Object.fromEntries(
    Object.values(resources(service, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => {
      const integration = text(Properties.Target).replace('integrations/', '');
      return [Properties.RouteKey, text(integrations[integration]?.Properties.IntegrationUri)];
    }),
  );
}

describe('the HTTP API', () => {
  test('sends every path to the function that serves it, whatever the method', () => {
    expect(targets()).toEqual({
      'ANY /health': 'IngestFunction',
      'ANY /logs': 'IngestFunction',
      'ANY /logs/{proxy+}': 'IngestFunction',
      'ANY /api/logs': 'IngestFunction',
      'ANY /api/logs/{proxy+}': 'IngestFunction',
      'ANY /api/events': 'IngestFunction',
      'ANY /api/events/{proxy+}': 'IngestFunction',
      'ANY /v1/logs': 'IngestFunction',
      'ANY /v1/traces': 'IngestFunction',
      'ANY /v1/metrics': 'IngestFunction',
      'ANY /loki/api/v1/push': 'IngestFunction',
      'ANY /ready': 'IngestFunction',
      'ANY /_bulk': 'IngestFunction',
      'ANY /services/collector': 'IngestFunction',
      'ANY /services/collector/{proxy+}': 'IngestFunction',
      'ANY /api/v2/logs': 'IngestFunction',
      'ANY /v1/input': 'IngestFunction',
      'ANY /gelf': 'IngestFunction',
      $default: 'IngestFunction',
      'ANY /api/endpoints/query/{proxy+}': 'QueryFunction',
      'ANY /api/query': 'QueryFunction',
      'ANY /api/query/parse': 'QueryFunction',
      'ANY /api/sources/{token}/recent': 'QueryFunction',
      'ANY /endpoints/query/{proxy+}': 'QueryFunction',
      'ANY /api/access-tokens': 'ManagementFunction',
      'ANY /api/access-tokens/{proxy+}': 'ManagementFunction',
      'ANY /api/alerts': 'ManagementFunction',
      'ANY /api/alerts/{proxy+}': 'ManagementFunction',
      'ANY /api/endpoints': 'ManagementFunction',
      'ANY /api/endpoints/{proxy+}': 'ManagementFunction',
      'ANY /api/rules': 'ManagementFunction',
      'ANY /api/rules/{proxy+}': 'ManagementFunction',
      'ANY /api/sources': 'ManagementFunction',
      'ANY /api/sources/{proxy+}': 'ManagementFunction',
    });
  });

  test('leaves CORS to the functions, which answer a preflight without credentials', () => {
    expect(only(service, 'AWS::ApiGatewayV2::Api').Properties).not.toHaveProperty(
      'CorsConfiguration',
    );
    for (const { Properties } of Object.values(resources(service, 'AWS::ApiGatewayV2::Route'))) {
      expect(Properties.AuthorizationType ?? 'NONE').toBe('NONE');
    }
  });

  test('uses payload format 2.0 and waits no longer than it can', () => {
    for (const { Properties } of Object.values(
      resources(service, 'AWS::ApiGatewayV2::Integration'),
    )) {
      expect(Properties).toMatchObject({
        IntegrationType: 'AWS_PROXY',
        PayloadFormatVersion: '2.0',
        TimeoutInMillis: 29_000,
      });
    }
  });

  test('may call its functions, and no other API may', () => {
    const permissions = Object.values(resources(service, 'AWS::Lambda::Permission'))
      .map(({ Properties }) => Properties)
      .filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')
      .map(({ Principal, FunctionName, SourceArn }) => {
        const [, api] = /execute-api:AWS::Region:AWS::AccountId:(.+)$/.exec(text(SourceArn)) ?? [];
        return `${Principal} ${text(FunctionName)} ${api}`;
      });
    expect(permissions.sort()).toEqual([
      'apigateway.amazonaws.com IngestFunction HttpApi/*/*',
      'apigateway.amazonaws.com IngestFunction HttpApi/*/*/*',
      'apigateway.amazonaws.com ManagementFunction HttpApi/*/*/*',
      'apigateway.amazonaws.com QueryFunction HttpApi/*/*/*',
    ]);
  });

  test('throttles', () => {
    expect(only(service, 'AWS::ApiGatewayV2::Stage').Properties).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 1_000, ThrottlingBurstLimit: 2_000 },
    });
  });

  test('logs each request, but never where a key could be', () => {
    const { DestinationArn, Format } = only(service, 'AWS::ApiGatewayV2::Stage').Properties
      .AccessLogSettings;
    expect(text(DestinationArn)).toBe('HttpAccessLogs');
    expect(JSON.parse(Format)).toMatchObject({
      requestId: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
    });
    expect(Format).not.toMatch(/query|header|authorizer/i);
    expect(resources(service, 'AWS::Logs::LogGroup').HttpAccessLogs?.Properties).toMatchObject({
      RetentionInDays: 90,
    });
  });
});

describe('a name of its own', () => {
  const named = (domain: NonNullable<Config['domain']>) =>
    synthesise({ ...loadConfig('prod'), domain }).service;
  const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/0a1b';

  test('is served over TLS 1.2 with the certificate that is configured', () => {
    const template = named({ name: 'logs.example.com', certificateArn });
    const { DomainName, DomainNameConfigurations } = only(
      template,
      'AWS::ApiGatewayV2::DomainName',
    ).Properties;
    expect(DomainName).toBe('logs.example.com');
    expect(DomainNameConfigurations).toEqual([
      { CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
    ]);
    const mapping = only(template, 'AWS::ApiGatewayV2::ApiMapping').Properties;
    expect(text(mapping.ApiId)).toBe('HttpApi');
    expect(mapping).not.toHaveProperty('ApiMappingKey');
    template.hasOutput('Url', { Value: 'https://logs.example.com/' });
    template.resourceCountIs('AWS::Route53::RecordSet', 0);
  });

  test('gets its certificate and its record in the hosted zone', () => {
    const template = named({
      name: 'logs.example.com',
      hostedZone: { id: 'Z0123', name: 'example.com' },
    });
    expect(only(template, 'AWS::CertificateManager::Certificate').Properties).toMatchObject({
      DomainName: 'logs.example.com',
      ValidationMethod: 'DNS',
      DomainValidationOptions: [{ DomainName: 'logs.example.com', HostedZoneId: 'Z0123' }],
    });
    expect(only(template, 'AWS::Route53::RecordSet').Properties).toMatchObject({
      Name: 'logs.example.com.',
      Type: 'A',
      HostedZoneId: 'Z0123',
    });
  });

  test('is no part of the template unless it is configured', () => {
    service.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
    service.resourceCountIs('AWS::CertificateManager::Certificate', 0);
  });
});
