import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../lib/config.ts';
import { only, resources, synthesise, type Templates, text } from './stacks.ts';

let templates: Templates;
beforeAll(() => {
  templates = synthesise({
    ...loadConfig('prod'),
    promotedFields: [
      { path: 'metadata.tenant', type: 'STRING' },
      { path: 'size', type: 'INT64' },
    ],
  });
});

interface Function {
  readonly Properties: {
    readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
  };
  readonly DependsOn?: readonly string[];
}

const functions = () =>
  resources(templates.service, 'AWS::Lambda::Function') as unknown as Readonly<
    Record<string, Function>
  >;

describe('fields that an environment promotes', () => {
  test('are columns of the landing table', () => {
    const table = resources(templates.storage, 'AWS::Glue::Table').LakeTable;

    expect(table?.Properties.TableInput.StorageDescriptor.Columns).toEqual(
      expect.arrayContaining([
        { Name: 'metadata_tenant', Type: 'string', Comment: 'copy of metadata.tenant' },
        { Name: 'body_size_int64', Type: 'bigint', Comment: 'copy of size' },
      ]),
    );
  });

  test('are told to every function that has to do with rows', () => {
    const told = Object.entries(functions())
      .filter(([, { Properties }]) => 'PROMOTED_FIELDS' in Properties.Environment.Variables)
      .map(([id, { Properties }]) => [id, Properties.Environment.Variables.PROMOTED_FIELDS]);
    const untold = Object.keys(functions()).filter((id) => !told.some(([other]) => other === id));

    expect(new Set(told.map(([, fields]) => fields))).toEqual(
      new Set(['metadata.tenant,size:INT64']),
    );
    // It sends rows on as they were made.
    expect(untold).toEqual(['RedriveFunction']);
  });

  test('change in an order in which no query reads a column that some row lacks', () => {
    const change = only(templates.service, 'Custom::SluicePromotedFields');
    const makers = Object.entries(functions()).filter(
      ([, { Properties }]) => 'LANDING_STREAM' in Properties.Environment.Variables,
    );
    const waitsFor = (id: string) =>
      functions()[id]?.DependsOn?.map((other) => other.replace(/[0-9A-F]{8}$/, ''));

    expect(text(change.Properties.ServiceToken)).toBe('BootstrapFunction');
    expect(change.Properties.Fields).toBe('metadata.tenant,size:INT64');
    expect(makers.map(([id]) => id).sort()).toEqual([
      'IngestFunction',
      'QueryEndedFunction',
      'QueryFunction',
      'RedriveFunction',
      'WarmerFunction',
    ]);
    for (const [id] of makers) {
      if (id === 'RedriveFunction') continue;
      expect(waitsFor(id)).toContain('PromotedFieldsChange');
      expect(waitsFor('CompactionJobFunction')).toContain(id);
    }
  });
});
