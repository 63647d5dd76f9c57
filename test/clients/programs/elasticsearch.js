import { Client } from '@elastic/elasticsearch';

const { SLUICE_URL, SLUICE_KEY } = process.env;

const client = new Client({ node: SLUICE_URL, auth: { apiKey: SLUICE_KEY } });

const { version } = await client.info();
const result = await client.helpers.bulk({
  datasource: Array.from({ length: 100 }, (_, number) => ({
    '@timestamp': new Date().toISOString(),
    message: `elastic ${number}`,
    number,
  })),
  onDocument: () => ({ create: { _index: 'shop' } }),
  retries: 3,
  wait: 100,
});
const broken = await client.bulk({
  operations: [{ create: { _index: 'shop' } }, { timestamp: '2999-01-01T00:00:00Z' }],
});
console.log(
  JSON.stringify({
    version: version.number,
    successful: result.successful,
    errors: broken.errors,
    status: broken.items[0].create.status,
  }),
);
