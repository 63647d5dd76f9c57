import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { environments, loadConfig } from '../../lib/config.ts';
import { synthesise } from './stacks.ts';
import { statefulResources } from './stateful-resources.ts';

/** By environment, stack and logical id. */
const deployed = z
  .record(z.string(), z.record(z.string(), z.record(z.string(), z.string())))
  .parse(JSON.parse(readFileSync(new URL('./stateful-resources.json', import.meta.url), 'utf8')));

const REPLACED =
  'CloudFormation would make a new, empty one of these and leave or delete the old one: events, registry, parked records, ' +
  "people's saved queries or the API's address would be lost to the deployment. Keep the construct's path and the name, " +
  'or move the data and say how in docs/deploy.md. If only the DeletionPolicy differs, the end of the stack would ' +
  'delete what has to stay: see lib/shared/removal-policy.ts.';
const ADDED = 'A new stateful resource: write it into test/lib/stateful-resources.json.';

describe.each(environments())('an upgrade of %s', (environment) => {
  const stacks = Object.entries({ ...synthesise(loadConfig(environment)) });
  const known = (stack: string) => deployed[environment]?.[stack] ?? {};

  test.each(stacks)('replaces nothing that holds data: %s', (stack, template) => {
    const now = statefulResources(template);

    for (const [id, identity] of Object.entries(known(stack))) {
      expect({ [id]: now[id] ?? 'is gone' }, REPLACED).toEqual({ [id]: identity });
    }
  });

  test.each(stacks)('knows all that holds data: %s', (stack, template) => {
    const unknown = Object.entries(statefulResources(template)).filter(
      ([id]) => known(stack)[id] === undefined,
    );

    expect(Object.fromEntries(unknown), ADDED).toEqual({});
  });
});
