import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { environments, loadConfig } from '../../lib/config.ts';
import { resources, synthesise } from '../lib/stacks.ts';

/** Sections that belong to no alarm. */
const GENERAL = ['Tools', 'Re-driving failed records'];

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');

/** Text of every section by its heading. */
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading, lines.join('\n')];
    }),
);

/** Sections that the alarms of all environments link to. */
const linked = new Set(
  environments().flatMap((environment) => {
    const { observability } = synthesise(loadConfig(environment));
    return Object.values(resources(observability, 'AWS::CloudWatch::Alarm')).map(
      ({ Properties }) => String(Properties.AlarmDescription).split('#').at(-1) ?? '',
    );
  }),
);

describe('the runbook', () => {
  test('has a section for every alarm, and no section besides but the general ones', () => {
    expect([...sections.keys()].sort()).toEqual([...linked, ...GENERAL].sort());
  });

  test.each([...linked])('says of %s what it means, how to find out more and what to do', (id) => {
    const parts = [...(sections.get(id) ?? '').matchAll(/^\*\*(.+?)\.\*\*/gm)];

    expect(parts.map(([, part]) => part)).toEqual(['Description', 'Investigation', 'Resolution']);
  });
});
