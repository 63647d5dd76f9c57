import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { type Config, loadConfig } from '../../../lib/config.ts';
import {
  NO_PAGE_EMAILS,
  NO_RUNBOOK_URL,
  warnOfUnheardAlarms,
} from '../../../lib/observability/alarm-config-warnings.ts';
import { addStacks } from '../../../lib/sluice-app.ts';
import { newApp, WITHOUT_BUNDLING } from '../stacks.ts';

const heard = {
  ...loadConfig('prod'),
  alarmEmails: { page: ['oncall@example.com'], ticket: [] },
  runbookUrl: 'https://example.com/runbook',
};

function warnings(config: Config): string[] {
  const stack = new Stack(new App());
  warnOfUnheardAlarms(stack, config);
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data));
}

describe('synthesis', () => {
  test('says nothing of an environment whose pages reach somebody and link to a page', () => {
    expect(warnings(heard)).toEqual([]);
  });

  test('warns of pages that reach nobody', () => {
    const found = warnings({ ...heard, alarmEmails: { page: [], ticket: ['team@example.com'] } });

    expect(found).toHaveLength(1);
    expect(found[0]).toContain('alarmEmails.page in config/prod.ts');
    expect(found[0]).toContain(NO_PAGE_EMAILS);
  });

  test('warns of a runbook that is a file of the project', () => {
    const found = warnings({ ...heard, runbookUrl: 'docs/runbook.md' });

    expect(found).toHaveLength(1);
    expect(found[0]).toContain('runbookUrl in config/prod.ts');
    expect(found[0]).toContain(NO_RUNBOOK_URL);
  });

  test('of the stacks warns, and goes on', () => {
    const { observability } = addStacks(newApp({ context: WITHOUT_BUNDLING }), loadConfig('dev'));

    expect(Annotations.fromStack(observability).findWarning('*', Match.anyValue())).toHaveLength(2);
  });
});
