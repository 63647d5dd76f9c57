import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';

/** Warnings of synthesis, by which they can be acknowledged. */
export const NO_PAGE_EMAILS = 'sluice:noPageEmails';
export const NO_RUNBOOK_URL = 'sluice:noRunbookUrl';

/** Warns while an environment is synthesised whose alarms would reach nobody, or lead nowhere. */
export function warnOfUnheardAlarms(
  scope: Construct,
  {
    environment,
    alarmEmails,
    runbookUrl,
  }: Pick<Config, 'environment' | 'alarmEmails' | 'runbookUrl'>,
): void {
  const warnings = Annotations.of(scope);
  if (alarmEmails.page.length === 0) {
    warnings.addWarningV2(
      NO_PAGE_EMAILS,
      `Alarms that need a person now are mailed to nobody: set alarmEmails.page in config/${environment}.ts, or subscribe to the topic sluice-${environment}-page by hand.`,
    );
  }
  if (!/^https?:\/\/./.test(runbookUrl)) {
    warnings.addWarningV2(
      NO_RUNBOOK_URL,
      `Alarms link to ${runbookUrl}, which no browser opens: set runbookUrl in config/${environment}.ts to where your copy of docs/runbook.md can be read.`,
    );
  }
}
