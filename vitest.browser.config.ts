import { defineConfig } from 'vitest/config';

/** `npm run test:browser`: pages in Chromium that send events from another origin. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    globalSetup: ['test/browser/support/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/browser.json' }]]
      : ['default'],
  },
});
