import type { EnvironmentSettings } from '../lib/settings.ts';

/** Events are kept for ever, and the API leaves Athena room for others. */
export default {
  firstDay: '2026-11-01',
  logRetentionDays: 90,
} satisfies EnvironmentSettings;
