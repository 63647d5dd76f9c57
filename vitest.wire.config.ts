import { defineConfig } from 'vitest/config';

/**
 * `npm run test:wire`: the AWS adapters against moto, an emulator that others wrote; the files that
 * `npm test` runs on dynalite once more on moto's DynamoDB; and the end-to-end cases of `npm test` once
 * more on the chain of what runs on AWS.
 */
export default defineConfig({
  test: {
    include: [
      'test/wire/**/*.wire.ts',
      'test/catalog/{named-entities,inferred-schemas,paging,caching,source-settings}.test.ts',
      'test/access/access-keys.test.ts',
      'test/bootstrap/seed-log.test.ts',
      'test/platform/leases/leases.test.ts',
      'test/query/execution/{execution-leases,in-flight-queries,left-executions}.test.ts',
      'test/query/cache/result-cache-store.test.ts',
      'test/query/result-cache.test.ts',
      'test/query/warming/warmer.test.ts',
      'test/alerts/alert-runner.test.ts',
      'test/ingest/limits/rate-limiter.test.ts',
      'test/ingest/rejections/rejection-recorder.test.ts',
      // Not `test/e2e/local`: its cases are about the log, the disk and the restart of a laptop's server.
      'test/e2e/{,ingest/}*.test.ts',
    ],
    globalSetup: ['test/wire/setup.ts'],
    // A chain waits more than it computes.
    maxWorkers: 2,
    provide: { dynamodb: 'moto', service: 'chain' },
    // Some tests wait for dozens of statements of Trino, each a second on two busy cores.
    testTimeout: 120_000,
    // The first run installs moto.
    hookTimeout: 300_000,
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/wire.json' }]]
      : ['default'],
  },
});
