export interface BannerFacts {
  readonly url: string;
  readonly dataDirectory: string;
  /** The key generated at this start: the only time it is ever shown. */
  readonly generatedKey: string | undefined;
}

/** What a person sees when the server is ready: where it is, and three things to try. */
export function banner({ url, dataDirectory, generatedKey }: BannerFacts): string {
  const keyLines = [
    '',
    'Your admin key, shown this once (only its hash is stored):',
    '',
    `  export SLUICE_ADMIN_KEY=${generatedKey}`,
  ];
  return [
    '',
    `Sluice is ready at ${url}, with its data in ${dataDirectory}`,
    ...(generatedKey === undefined ? [] : keyLines),
    '',
    'Log an event, read it back, list the sources:',
    '',
    `  curl "${url}/logs?source_name=cloudflare.logs.prod" -H "X-API-KEY: $SLUICE_ADMIN_KEY" \\`,
    `    -H "Content-Type: application/json" -d '{"project":"demo","event_message":"hello"}'`,
    '',
    `  curl -G "${url}/api/endpoints/query/logs.all" -H "X-API-KEY: $SLUICE_ADMIN_KEY" \\`,
    '    -d project=demo --data-urlencode "sql=select timestamp, event_message from edge_logs"',
    '',
    `  curl "${url}/api/sources" -H "Authorization: Bearer $SLUICE_ADMIN_KEY"`,
    '',
    '',
  ].join('\n');
}
