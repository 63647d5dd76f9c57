import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { DynamoRegistry } from '../../src/catalog/registry.ts';
import { LANDING_TABLE } from '../../src/lake/layout/columns.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { only, resources, synthesise, type Templates, text } from './stacks.ts';

let templates: Templates;
beforeAll(() => {
  templates = synthesise();
});

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

const ARN_HEAD = /^arn:AWS::Partition:\w+:AWS::Region:AWS::AccountId:/;

function listed(statements: readonly Statement[], effect: Statement['Effect']): string[] {
  return statements
    .filter(({ Effect }) => Effect === effect)
    .flatMap(({ Action, Resource, Condition }) =>
      [Action].flat().flatMap((action) =>
        [Resource].flat().map((resource) => {
          const condition = Condition === undefined ? '' : ` if ${JSON.stringify(Condition)}`;
          return `${action} on ${text(resource).replace(ARN_HEAD, '')}${condition}`;
        }),
      ),
    )
    .sort();
}

function roleStatements(template: Template, role: string): readonly Statement[] {
  return resources(template, 'AWS::IAM::Role')[role]?.Properties.Policies[0].PolicyDocument
    .Statement;
}

/** An action on a table needs the same on its database and on the catalog. */
const onTables = (actions: readonly string[]) =>
  actions.flatMap((action) => [
    `glue:${action} on catalog`,
    `glue:${action} on database/LakeDatabase`,
    `glue:${action} on table/LakeDatabase/*`,
  ]);

describe('the function that makes the views', () => {
  const statements = () => roleStatements(templates.service, 'ViewsRole');
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
      mapping.ViewUpdatesChanges?.Properties ?? {};
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
    const schedule = resources(templates.service, 'AWS::Scheduler::Schedule').ViewUpdatesSchedule;
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

describe("the analysts' policy", () => {
  const policy = () => only(templates.service, 'AWS::IAM::ManagedPolicy').Properties;

  test('is attached to nobody', () => {
    expect(text(policy().ManagedPolicyName)).toBe('sluice-prod-analysts-AWS::Region');
    for (const holders of ['Roles', 'Users', 'Groups']) {
      expect(policy()).not.toHaveProperty(holders);
    }
  });

  test('reads the lake in its own workgroup and changes nothing in the lake', () => {
    const inWorkgroup = [
      'BatchGetNamedQuery',
      'BatchGetQueryExecution',
      'CreateNamedQuery',
      'DeleteNamedQuery',
      'GetNamedQuery',
      'GetQueryExecution',
      'GetQueryResults',
      'GetQueryResultsStream',
      'GetQueryRuntimeStatistics',
      'GetWorkGroup',
      'ListNamedQueries',
      'ListQueryExecutions',
      'StartQueryExecution',
      'StopQueryExecution',
      'UpdateNamedQuery',
    ].map((action) => `athena:${action} on workgroup/sluice-prod-analysts`);
    const inCatalog = [
      'GetDataCatalog',
      'GetDatabase',
      'GetTableMetadata',
      'ListDatabases',
      'ListTableMetadata',
    ].map((action) => `athena:${action} on datacatalog/AwsDataCatalog`);
    expect(listed(policy().PolicyDocument.Statement, 'Allow')).toEqual(
      [
        ...inWorkgroup,
        ...inCatalog,
        ...['ListDataCatalogs', 'ListEngineVersions', 'ListWorkGroups'].map(
          (action) => `athena:${action} on *`,
        ),
        ...onTables(['GetDatabase', 'GetPartitions', 'GetTable', 'GetTables']),
        'glue:GetDatabases on catalog',
        'glue:GetDatabases on database/*',
        'glue:GetDatabase on database/default',
        's3:AbortMultipartUpload on QueryResultsBucket/analysts/*',
        's3:GetBucketLocation on LakeEventsBucket',
        's3:GetBucketLocation on QueryResultsBucket',
        's3:ListBucketMultipartUploads on QueryResultsBucket',
        's3:GetObject on LakeEventsBucket/compacted/*',
        's3:GetObject on LakeEventsBucket/failed/*',
        's3:GetObject on LakeEventsBucket/log_events/*',
        's3:GetObject on QueryResultsBucket/analysts/*',
        's3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"compacted/*"}}',
        's3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"failed/*"}}',
        's3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"log_events/*"}}',
        's3:ListBucket on QueryResultsBucket if {"StringLike":{"s3:prefix":"analysts/*"}}',
        's3:ListMultipartUploadParts on QueryResultsBucket/analysts/*',
        's3:PutObject on QueryResultsBucket/analysts/*',
      ].sort(),
    );
  });
});

describe('the saved queries', () => {
  const saved = () => Object.values(resources(templates.service, 'AWS::Athena::NamedQuery'));

  test("are in the analysts' workgroup, over the lake's database", () => {
    expect(saved().length).toBeGreaterThan(5);
    for (const { Properties, DependsOn } of saved()) {
      expect(Properties.WorkGroup).toBe('sluice-prod-analysts');
      expect(text(Properties.Database)).toBe('LakeDatabase');
      expect([DependsOn].flat().map((id) => text({ Ref: id }))).toEqual(['WorkgroupsAnalysts']);
    }
  });

  test('have names that differ and say what they show', () => {
    const names = saved().map(({ Properties }) => Properties.Name);
    expect(new Set(names).size).toBe(names.length);
    for (const { Properties } of saved()) {
      expect(Properties.Description.length).toBeGreaterThan(20);
      // What Athena takes at most.
      expect(Properties.Name.length).toBeLessThanOrEqual(128);
      expect(Properties.Description.length).toBeLessThanOrEqual(1_024);
    }
  });

  test('bound what they scan by the day of arrival', () => {
    for (const { Properties } of saved()) {
      expect(Properties.QueryString).toMatch(/\bdt >= current_date - INTERVAL/);
    }
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
  const registry = new DynamoRegistry({
    client: client as never,
    table: 'registry',
    clock: systemClock,
  });

  await registry.listSources();
  await registry.schema('aaaaaaaa-0000-4000-8000-000000000001');

  expect(partitions).toEqual(['source', expect.stringMatching(/^schema /)]);
});
