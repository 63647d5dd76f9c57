import { defineConfig } from 'vitest/config';

/** `npm run fuzz`: every ingest format under damaged requests. */
export default defineConfig({
  test: {
    include: ['test/fuzz/*.fuzz.ts'],
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/fuzz.json' }]]
      : ['default'],
  },
});
