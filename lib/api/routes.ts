/**
 * Which function serves which path. Every path takes any method: the apps themselves answer CORS
 * preflights, HEAD and methods that do not exist, and so answer alike on AWS and locally.
 */
export const ROUTES = {
  ingest: [
    '/health',
    '/logs',
    '/logs/{proxy+}',
    '/api/logs',
    '/api/logs/{proxy+}',
    '/api/events',
    '/api/events/{proxy+}',
    '/v1/logs',
    '/v1/traces',
    '/v1/metrics',
    '/loki/api/v1/push',
    '/ready',
    '/_bulk',
    '/services/collector',
    '/services/collector/{proxy+}',
    '/api/v2/logs',
    '/v1/input',
    '/gelf',
  ],
  query: [
    '/api/endpoints/query/{proxy+}',
    '/endpoints/query/{proxy+}',
    '/api/query',
    '/api/query/parse',
    // API Gateway takes the route with the fewest free places, so other paths of a source stay below.
    '/api/sources/{token}/recent',
  ],
  management: [
    '/api/access-tokens',
    '/api/access-tokens/{proxy+}',
    '/api/alerts',
    '/api/alerts/{proxy+}',
    '/api/endpoints',
    '/api/endpoints/{proxy+}',
    '/api/rules',
    '/api/rules/{proxy+}',
    '/api/sources',
    '/api/sources/{proxy+}',
  ],
} as const satisfies Readonly<Record<string, readonly `/${string}`[]>>;

/** Functions that API Gateway calls. */
export type RoutedFunction = keyof typeof ROUTES;

/**
 * The function that answers what no path above matches. API Gateway takes `/logs/` and `/logs` for
 * different paths, and agents send both; this way the apps decide, which see no difference. It is
 * the lightest function, because strangers' probes end here as well. So do the other paths of Elasticsearch
 * (`/{index}/_bulk`, and what its clients ask before they send), which would be routes for any path.
 */
export const DEFAULT_FUNCTION: RoutedFunction = 'ingest';
