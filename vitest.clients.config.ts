import { defineConfig } from 'vitest/config';

/** `npm run test:clients`: client libraries as their users install them, against the service. */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.client.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/clients.json' }]]
      : ['default'],
  },
});
