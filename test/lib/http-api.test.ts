import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { only, resources, synthesise, text } from './stacks.ts';

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
      $default: 'IngestFunction',
      'ANY /api/endpoints/query/{proxy+}': 'QueryFunction',
      'ANY /api/query/parse': 'QueryFunction',
      'ANY /endpoints/query/{proxy+}': 'QueryFunction',
      'ANY /api/access-tokens': 'ManagementFunction',
      'ANY /api/access-tokens/{proxy+}': 'ManagementFunction',
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
    const permissions = Object.values(resources(service, 'AWS::Lambda::Permission')).map(
      ({ Properties }) => {
        const [, api] = /execute-api:AWS::Region:AWS::AccountId:(.+)$/.exec(
          text(Properties.SourceArn),
        ) ?? ['', ''];
        return `${Properties.Principal} ${text(Properties.FunctionName)} ${api}`;
      },
    );
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
