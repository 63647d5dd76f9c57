import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../lambdas/shared/environment.ts';
import { SOURCE_PARTITION } from '../../../lib/compaction/compaction.ts';
import { loadConfig } from '../../../lib/config.ts';
import { dynamoRegistry } from '../../../src/catalog/registry.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { resources, synthesise, text } from '../stacks.ts';

let service: Template;
beforeAll(() => {
  ({ service } = synthesise({ ...loadConfig('prod'), eventRetentionDays: 400 }));
});

const of = (type: string, id: string) => resources(service, type)[id]?.Properties ?? {};

describe('compaction', () => {
  test('runs every ten minutes, and a run that failed is followed by the next', () => {
    const { Target, ...schedule } = of('AWS::Scheduler::Schedule', 'CompactionSchedule');

    expect(schedule).toMatchObject({ ScheduleExpression: 'rate(10 minutes)', State: 'ENABLED' });
    expect(text(Target.Arn)).toBe('CompactionJobFunction');
    expect(text(Target.RoleArn)).toBe('CompactionScheduleRole');
    expect(of('AWS::Lambda::EventInvokeConfig', 'CompactionScheduleInvocations')).toMatchObject({
      MaximumRetryAttempts: 0,
    });
  });

  test('ends after 14 minutes and finds in its environment all that it reads', () => {
    const { Timeout, Environment } = of('AWS::Lambda::Function', 'CompactionJobFunction');
    const variables = Object.fromEntries(
      Object.entries(Environment.Variables).map(([name, value]) => [name, text(value)]),
    );

    expect(Timeout).toBe(14 * 60);
    expect(readEnvironment('compaction', variables)).toMatchObject({
      FIRST_DAY: '2026-11-01',
      COMPACTED_LOCATION: 's3://LakeEventsBucket/compacted/',
      RETENTION_DAYS: 400,
      WORKGROUP: 'sluice-prod-compaction',
    });
  });

  test('keeps events for ever unless told otherwise', () => {
    const variables = { RETENTION_DAYS: 'forever' };
    expect(() => readEnvironment('compaction', variables)).toThrow(/^(?!.*RETENTION_DAYS)/s);
  });

  test('has a workgroup without a limit on what a statement reads', () => {
    const { WorkGroupConfiguration: configuration } = of(
      'AWS::Athena::WorkGroup',
      'CompactionWorkgroup',
    );

    expect(configuration).toMatchObject({
      EnforceWorkGroupConfiguration: true,
      PublishCloudWatchMetricsEnabled: true,
      EngineVersion: { SelectedEngineVersion: 'Athena engine version 3' },
    });
    expect(configuration).not.toHaveProperty('BytesScannedCutoffPerQuery');
    expect(text(configuration.ResultConfiguration.OutputLocation)).toBe(
      's3://QueryResultsBucket/compaction/',
    );
  });

  test('the partition of the registry that it may list is where sources are', async () => {
    const read: string[] = [];
    const client = {
      config: {},
      send: async ({ input }: { input: { ExpressionAttributeValues: { ':pk': string } } }) => {
        read.push(input.ExpressionAttributeValues[':pk']);
        return { Items: [] };
      },
    };
    const registry = dynamoRegistry({
      client: Object.setPrototypeOf(
        client,
        (await import('@aws-sdk/lib-dynamodb')).DynamoDBDocumentClient.prototype,
      ) as never,
      table: 'registry',
      clock: systemClock,
    });

    await registry.listSources();

    expect(read).toEqual([SOURCE_PARTITION]);
  });
});
