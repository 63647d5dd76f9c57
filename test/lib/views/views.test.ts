import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { dynamoRegistry } from '../../../src/catalog/registry.ts';
import { LANDING_TABLE } from '../../../src/lake/layout/columns.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { resources, synthesise, type Templates, text } from '../stacks.ts';
import { listed, onTables, statementsOf } from '../statements.ts';

let templates: Templates;
beforeAll(() => {
  templates = synthesise();
});

describe('the function that makes the views', () => {
  const statements = () => statementsOf(templates.service, 'ViewsRole');
  const onKeys = '{"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["view","view-lease"]}}';

  test('changes views and its own records, and can read no event', () => {
    expect(listed(statements(), 'Allow')).toEqual(
      [
        'athena:GetQueryExecution on workgroup/sluice-prod-catalog',
        'athena:StartQueryExecution on workgroup/sluice-prod-catalog',
        `dynamodb:DeleteItem on TablesRegistry if ${onKeys}`,
        `dynamodb:PutItem on TablesRegistry if ${onKeys}`,
        ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
          (action) => `dynamodb:${action} on TablesRegistry`,
        ),
        'dynamodb:GetItem on TablesRegistry',
        'dynamodb:Query on TablesRegistry',
        ...onTables(['CreateTable', 'DeleteTable', 'GetDatabase', 'GetTable', 'UpdateTable']),
        'glue:GetDatabase on database/default',
        'logs:CreateLogStream on ViewsLogs',
        'logs:PutLogEvents on ViewsLogs',
        's3:AbortMultipartUpload on QueryResultsBucket/catalog/*',
        's3:GetBucketLocation on LakeEventsBucket',
        's3:GetBucketLocation on QueryResultsBucket',
        's3:ListBucketMultipartUploads on QueryResultsBucket',
        's3:GetObject on LakeEventsBucket/compacted/metadata/*',
        's3:GetObject on QueryResultsBucket/catalog/*',
        's3:ListBucket on QueryResultsBucket if {"StringLike":{"s3:prefix":"catalog/*"}}',
        's3:ListMultipartUploadParts on QueryResultsBucket/catalog/*',
        's3:PutObject on QueryResultsBucket/catalog/*',
      ].sort(),
    );
  });

  test.each([LANDING_TABLE, 'log_events_compacted', 'failed_events'])(
    'can neither drop nor change the table %s',
    (table) => {
      const denied = listed(statements(), 'Deny');
      for (const action of ['CreateTable', 'DeleteTable', 'UpdateTable']) {
        expect(denied).toContain(`glue:${action} on table/LakeDatabase/${table}`);
      }
    },
  );

  test('is called half a minute after sources or schemas changed', () => {
    const mapping = resources(templates.service, 'AWS::Lambda::EventSourceMapping');
    const { EventSourceArn, FilterCriteria, FunctionName, ...settings } =
      mapping.ViewsChanges?.Properties ?? {};
    expect(text(FunctionName)).toBe('ViewsFunction');
    expect(text(EventSourceArn)).toBe('TablesRegistry');
    expect(settings).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      MaximumBatchingWindowInSeconds: 30,
      MaximumRetryAttempts: 3,
      MaximumRecordAgeInSeconds: 3_600,
    });
    expect(
      FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
    ).toEqual([{ dynamodb: { Keys: { pk: { S: ['source', { prefix: 'schema ' }] } } } }]);
  });

  test('is called every hour as well', () => {
    const schedule = resources(templates.service, 'AWS::Scheduler::Schedule').ViewsUpdatesSchedule;
    expect(schedule?.Properties.ScheduleExpression).toBe('rate(1 hour)');
    expect(text(schedule?.Properties.Target.Arn)).toBe('ViewsFunction');
  });

  test('hears of keys only, never of what the registry keeps under them', () => {
    const registry = resources(templates.storage, 'AWS::DynamoDB::GlobalTable').TablesRegistry;
    expect(registry?.Properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' });
    const cache = resources(templates.storage, 'AWS::DynamoDB::GlobalTable').TablesCache;
    expect(cache?.Properties).not.toHaveProperty('StreamSpecification');
  });
});

test('the changes that call the function are where the registry keeps sources and schemas', async () => {
  const partitions: string[] = [];
  const client = {
    send: async ({ input }: { input: { ExpressionAttributeValues: { ':pk': string } } }) => {
      partitions.push(input.ExpressionAttributeValues[':pk']);
      return { Items: [] };
    },
  };
  Object.setPrototypeOf(client, DynamoDBDocumentClient.prototype);
  const registry = dynamoRegistry({
    client: client as never,
    table: 'registry',
    clock: systemClock,
  });

  await registry.listSources();
  await registry.schema('aaaaaaaa-0000-4000-8000-000000000001');

  expect(partitions).toEqual(['source', expect.stringMatching(/^schema /)]);
});
