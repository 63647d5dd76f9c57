import { defineConfig } from 'vitest/config';

/** `npm run test:wire`: the AWS adapters against moto, an emulator that others wrote. */
export default defineConfig({
  test: {
    include: ['test/wire/**/*.wire.ts'],
    globalSetup: ['test/wire/setup.ts'],
    testTimeout: 60_000,
    // The first run installs moto.
    hookTimeout: 300_000,
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/wire.json' }]]
      : ['default'],
  },
});
