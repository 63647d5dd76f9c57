import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { resources, synthesise, text } from '../stacks.ts';

let service: Template;
beforeAll(() => {
  ({ service } = synthesise());
});

describe('the Athena workgroups', () => {
  test.each([
    ['WorkgroupsApi', 'sluice-prod-api', 50 * 1024 ** 3, 's3://QueryResultsBucket/api/'],
    [
      'WorkgroupsAnalysts',
      'sluice-prod-analysts',
      500 * 1024 ** 3,
      's3://QueryResultsBucket/analysts/',
    ],
  ])('%s enforces engine, limit, encryption and place of results', (id, name, limit, place) => {
    const workgroup = resources(service, 'AWS::Athena::WorkGroup')[id]?.Properties;
    const { ResultConfiguration, ...configuration } = workgroup.WorkGroupConfiguration;
    expect(workgroup.Name).toBe(name);
    expect(configuration).toEqual({
      EnforceWorkGroupConfiguration: true,
      PublishCloudWatchMetricsEnabled: true,
      BytesScannedCutoffPerQuery: limit,
      EngineVersion: { SelectedEngineVersion: 'Athena engine version 3' },
    });
    expect(text(ResultConfiguration.OutputLocation)).toBe(place);
    expect(ResultConfiguration.EncryptionConfiguration).toEqual({ EncryptionOption: 'SSE_S3' });
    expect(ResultConfiguration.ExpectedBucketOwner).toEqual({ Ref: 'AWS::AccountId' });
  });

  test('deleting the stack takes the history of the API along, not the queries of people', () => {
    const workgroups = resources(service, 'AWS::Athena::WorkGroup');
    expect(workgroups.WorkgroupsApi?.Properties.RecursiveDeleteOption).toBe(true);
    expect(workgroups.WorkgroupsAnalysts?.Properties.RecursiveDeleteOption).toBe(false);
  });
});
