import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // All cores: many of these tests wait for a disk or a process, and by default one core is left out.
    maxWorkers: '100%',
    // Titles of table-driven tests are sentences: show them whole.
    taskTitleValueFormatTruncate: 0,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: '.vitest/report.json' }]]
      : ['default'],
  },
});
