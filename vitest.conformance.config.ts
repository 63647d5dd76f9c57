import { defineConfig } from 'vitest/config';

/** `npm run test:trino`: what the compiler prints for Athena, run on Trino. */
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.trino.ts'],
    globalSetup: ['test/conformance/trino/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/trino.json' }]]
      : ['default'],
  },
});
