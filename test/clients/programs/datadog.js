import { client, v2 } from '@datadog/datadog-api-client';

const { SLUICE_URL, SLUICE_KEY } = process.env;

const configuration = client.createConfiguration({
  authMethods: { apiKeyAuth: SLUICE_KEY },
  baseServer: new client.BaseServerConfiguration(SLUICE_URL, {}),
});
configuration.setServerVariables({});
const logs = new v2.LogsApi(configuration);
await logs.submitLog({
  contentEncoding: 'gzip',
  body: Array.from({ length: 100 }, (_, number) => ({
    message: `datadog ${number}`,
    ddsource: 'nodejs',
    service: 'shop',
    hostname: 'web-1',
    ddtags: 'env:test',
  })),
});
