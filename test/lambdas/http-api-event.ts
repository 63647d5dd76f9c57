import type { HttpApiEvent } from '../../lambdas/shared/http-handler.ts';

export interface EventOptions {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** A request as API Gateway hands it to a function, payload format 2.0, recorded from one. */
export function httpApiEvent(options: EventOptions = {}): HttpApiEvent {
  const { method = 'GET', path = '/health', query = '', headers = {} } = options;
  return {
    version: '2.0',
    routeKey: `ANY ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers: {
      accept: '*/*',
      host: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com',
      'user-agent': 'curl/8.5.0',
      'x-amzn-trace-id': 'Root=1-673dc1a2-0f1e2d3c4b5a69788796a5b4',
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
      ...headers,
    },
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3d4e5',
      authentication: null,
      authorizer: {},
      domainName: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com',
      domainPrefix: 'a1b2c3d4e5',
      http: {
        method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.7',
        userAgent: 'curl/8.5.0',
      },
      requestId: 'BjK1hgqGDoEEMkQ=',
      routeKey: `ANY ${path}`,
      stage: '$default',
      time: '20/Nov/2026:12:00:00 +0000',
      timeEpoch: 1_795_176_000_000,
    },
    body: options.body ?? null,
    isBase64Encoded: options.isBase64Encoded ?? false,
  };
}
