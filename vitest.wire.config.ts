import { defineConfig } from 'vitest/config';

/**
 * `npm run test:wire`: the AWS adapters against moto, an emulator that others wrote, and the files that
 * `npm test` runs on dynalite once more on moto's DynamoDB.
 */
export default defineConfig({
  test: {
    include: [
      'test/wire/**/*.wire.ts',
      'test/registry/{named-entities,access-keys,learned-schemas,paging,caching,source-settings,failures}.test.ts',
      'test/endpoints/{leases,result-store,cache,single-flight,warmer}.test.ts',
      'test/limits/rate-limiter.test.ts',
      'test/rejected/recorder.test.ts',
    ],
    globalSetup: ['test/wire/setup.ts'],
    provide: { dynamodb: 'moto' },
    testTimeout: 60_000,
    // The first run installs moto.
    hookTimeout: 300_000,
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/wire.json' }]]
      : ['default'],
  },
});
