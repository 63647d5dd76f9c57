import { defineConfig } from 'vitest/config';

/** What a server of a laptop is needed for: its log, its disk, its restart. */
const LOCAL_ONLY = ['disk-full', 'kill', 'restart'];

/**
 * `npm run test:wire`: the AWS adapters against moto, an emulator that others wrote; the files that
 * `npm test` runs on dynalite once more on moto's DynamoDB; and the end-to-end cases of `npm test` once
 * more on the chain of what runs on AWS.
 */
export default defineConfig({
  test: {
    include: [
      'test/wire/**/*.wire.ts',
      'test/registry/{named-entities,access-keys,learned-schemas,paging,caching,source-settings,seed-ledger}.test.ts',
      'test/endpoints/{leases,execution-leases,result-store,cache,single-flight,left-behind,warmer}.test.ts',
      'test/limits/rate-limiter.test.ts',
      'test/rejected/recorder.test.ts',
      'test/e2e/*.test.ts',
    ],
    exclude: LOCAL_ONLY.map((name) => `test/e2e/${name}.test.ts`),
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
