/** Two environments can stand in one account and Region: nothing that is explicitly named has the same name in both. */
import { expect, test } from 'vitest';
import { checkConfig } from '../../lib/config.ts';
import { type Resource, synthesise } from './stacks.ts';

/** Names that only have to differ within something that has a name of its own. */
const WITHIN: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Stage': 'its API',
  'AWS::Athena::NamedQuery': 'its workgroup',
  'AWS::Glue::Table': 'its database',
  'AWS::Logs::LogStream': 'its log group',
};

/** Explicit names by where they stand in a resource, such as `AWS::Glue::Database DatabaseInput.Name`. */
function explicitNames(environment: string): string[] {
  const templates = synthesise(checkConfig(environment, { firstDay: '2026-11-01' }));
  return Object.values(templates).flatMap((template) => {
    const { Resources = {}, Outputs = {} } = template.toJSON();
    const resources = Object.values<Resource>(Resources).flatMap(({ Type, Properties = {} }) =>
      Type in WITHIN ? [] : namesIn(Properties).map((name) => `${Type} ${name}`),
    );
    const exports = Object.values<Resource>(Outputs).flatMap(({ Export }) =>
      Export === undefined ? [] : [`export ${JSON.stringify(Export.Name)}`],
    );
    return [...resources, ...exports];
  });
}

/** Names of the resource itself: not of its parts, and not of what it points to. */
function namesIn(properties: Readonly<Record<string, unknown>>): string[] {
  const { DatabaseInput } = properties as { readonly DatabaseInput?: Record<string, unknown> };
  return Object.entries({ ...properties, ...DatabaseInput })
    .filter(([key, value]) => /(?:^|[a-z])Name$/.test(key) && isExplicit(value))
    .filter(([key]) => key !== 'MetricName')
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`);
}

/** A text, or one that is put together with one: not only a reference. */
function isExplicit(value: unknown): boolean {
  return typeof value === 'string' || (value as Resource)?.['Fn::Join'] !== undefined;
}

test('two environments share no explicit name', () => {
  const [blue, green] = ['blue', 'green'].map(explicitNames) as [string[], string[]];

  expect(blue.length).toBeGreaterThan(50);
  expect(new Set(blue)).toHaveLength(blue.length);
  expect(blue.filter((name) => green.includes(name))).toEqual([]);
});
