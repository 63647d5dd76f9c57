import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { environments, loadConfig } from '../../lib/config.ts';
import { synthesise } from './stacks.ts';

/** What stacks of a release export, by stack; the same in every environment. */
const known = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync(new URL('./stack-exports.json', import.meta.url), 'utf8')));

const GONE =
  'CloudFormation deletes no export that a deployed stack imports, and stacks that export are updated first, so the ' +
  'deployment of this release would stop at it. Keep it for one release with this.exportValue(...) in the stack that ' +
  'exports; in the release after that, take it out there and in test/lib/stack-exports.json.';
const ADDED = 'A new export: write it into test/lib/stack-exports.json.';

/** Names of a stack's exports, without that of the stack before the colon. */
function exportsOf(template: Template): string[] {
  const outputs: { Export?: { Name: string } }[] = Object.values(template.toJSON().Outputs ?? {});
  return outputs.flatMap(({ Export }) => (Export ? [Export.Name.replace(/^.*:/, '')] : [])).sort();
}

describe.each(environments())('an upgrade of %s', (environment) => {
  const stacks = Object.entries({ ...synthesise(loadConfig(environment)) });

  test.each(stacks)('takes away no export: %s', (stack, template) => {
    const now = exportsOf(template);
    const gone = (known[stack] ?? []).filter((name) => !now.includes(name));

    expect(gone, GONE).toEqual([]);
  });

  test.each(stacks)('exports nothing that is not in the list: %s', (stack, template) => {
    const unknown = exportsOf(template).filter((name) => !(known[stack] ?? []).includes(name));

    expect(unknown, ADDED).toEqual([]);
  });
});
