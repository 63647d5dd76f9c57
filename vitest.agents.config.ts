import { defineConfig } from 'vitest/config';

/** `npm run test:agents`: log agents from Debian with the configurations of docs/clients. */
export default defineConfig({
  test: {
    include: ['test/agents/**/*.agent.ts'],
    globalSetup: ['test/agents/support/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/agents.json' }]]
      : ['default'],
  },
});
