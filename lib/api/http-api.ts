import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge } from '../shared/nag-suppressions.ts';
import { ALARM_PERIOD, type AlarmDefinition } from '../shared/runbook-alarms.ts';
import type { ServiceProps } from '../shared/service-props.ts';
import { ApiDomain } from './api-domain.ts';
import { DEFAULT_FUNCTION, ROUTES, type RoutedFunction } from './routes.ts';

export interface ServiceApiProps extends ServiceProps {
  readonly functions: Readonly<Record<RoutedFunction, IFunction>>;
}

/**
 * The HTTP API in front of the functions. HTTP rather than REST, which costs 3.5 times as much per
 * request; nothing of what only REST has is needed.
 *
 * What the functions get is payload format 2.0, with these quirks: a body that is not text, and so
 * every compressed one, comes in base64 and is never inflated; header names are in lower case and
 * repeated headers joined by commas; the path is already URL-decoded; `Transfer-Encoding` is gone.
 * `lambdas/shared/http-handler.ts` undoes what matters. A request line with its headers may have 10,240
 * bytes, which no setting raises; longer queries go into a body.
 */
export class ServiceApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly accessLogs: LogGroup;
  /** Where clients find it, with a slash at its end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    const { throttle, domain, logRetentionDays } = props.config;
    this.api = new HttpApi(this, 'Api', {
      apiName: props.name,
      description: 'Log ingestion, saved queries and their management',
      createDefaultStage: false,
    });
    this.accessLogs = new LogGroup(this, 'AccessLogs', {
      // Under this prefix CloudWatch needs no growing resource policy to let API Gateway write.
      logGroupName: `/aws/vendedlogs/${props.name}-api`,
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: throttle.requestsPerSecond, burstLimit: throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_LINE)),
      },
    });
    this.#addRoutes(props.functions);
    this.url =
      domain === undefined
        ? this.stage.url
        : new ApiDomain(this, 'Domain', { domain, stage: this.stage }).url;
  }

  get alarms(): AlarmDefinition[] {
    return [
      {
        id: 'api-slow',
        severity: 'ticket',
        // Queries may take up to 29 s each; most answers come from the cache or are ingest.
        says: 'One answer in a hundred takes longer than 20 seconds.',
        metric: this.stage.metricLatency({ statistic: 'p99', period: ALARM_PERIOD }),
        threshold: 20_000,
        periods: 3,
      },
    ];
  }

  #addRoutes(functions: ServiceApiProps['functions']): void {
    for (const name of Object.keys(ROUTES) as RoutedFunction[]) {
      const integration = new HttpLambdaIntegration(name, functions[name], {
        timeout: LONGEST_WAIT,
        // One permission for all paths instead of one for each: a function's policy is limited to
        // 20 KB. It does not cover the default route, whose ARN has a part less.
        scopePermissionToRoute: false,
      });
      for (const path of ROUTES[name]) {
        this.#addRoute(HttpRouteKey.with(path, HttpMethod.ANY), integration);
      }
    }
    const fallback = new HttpLambdaIntegration('default', functions[DEFAULT_FUNCTION], {
      timeout: LONGEST_WAIT,
    });
    this.#addRoute(HttpRouteKey.DEFAULT, fallback);
  }

  #addRoute(routeKey: HttpRouteKey, integration: HttpLambdaIntegration): void {
    const route = new HttpRoute(this, routeKey.key, { httpApi: this.api, routeKey, integration });
    acknowledge(
      route,
      'AwsSolutions-APIG4',
      'The functions check access keys and their scopes themselves, since an endpoint can be public and a preflight has no credentials.',
    );
  }
}

/** The longest that API Gateway waits; each function has a limit of its own, no longer than this. */
const LONGEST_WAIT = Duration.seconds(29);

/**
 * One line per request. Neither the query string nor a header is logged, because access keys travel
 * in both.
 */
export const ACCESS_LOG_LINE = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  route: '$context.routeKey',
  status: '$context.status',
  bytesOut: '$context.responseLength',
  ms: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  error: '$context.integrationErrorMessage',
} as const;
