import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCHEMA_PARTITIONS } from '../../lib/shared/permissions.ts';
import { dynamoRegistry } from '../../src/catalog/registry.ts';
import { DynamoBuckets, QUOTA_PARTITIONS } from '../../src/ingest/limits/dynamo-buckets.ts';
import {
  DynamoRejections,
  REJECTED_PARTITIONS,
} from '../../src/ingest/rejections/dynamo-rejections.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { resources, synthesise, type Templates } from './stacks.ts';
import { listed, statementsOf } from './statements.ts';

let templates: Templates;
beforeAll(() => {
  templates = synthesise();
});

/** What a role may do. */
function permissions(template: Template, role: string): string[] {
  return listed(statementsOf(template, role), 'Allow');
}

const REGISTRY_READS = ['dynamodb:GetItem on TablesRegistry', 'dynamodb:Query on TablesRegistry'];

const REGISTRY_CHANGES = ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
  (action) => `dynamodb:${action} on TablesRegistry`,
);

const onKeys = (pattern: string) =>
  ` if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["${pattern}"]}}`;

const LEARNING = `dynamodb:UpdateItem on TablesRegistry${onKeys('schema *')}`;

const ownLog = (name: string) => [
  `logs:CreateLogStream on ${name}Logs`,
  `logs:PutLogEvents on ${name}Logs`,
];

const COMPACTED = 'table/LakeDatabase/log_events_compacted';

const QUERYING = [
  'athena:GetQueryExecution on workgroup/sluice-prod-api',
  'athena:GetQueryResults on workgroup/sluice-prod-api',
  'athena:StartQueryExecution on workgroup/sluice-prod-api',
  'athena:StopQueryExecution on workgroup/sluice-prod-api',
  ...['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
    (action) => `dynamodb:${action} on TablesCache`,
  ),
  ...REGISTRY_READS,
  LEARNING,
  'firehose:PutRecordBatch on LandingStream',
  ...['GetDatabase', 'GetPartitions', 'GetTable'].flatMap((action) => [
    `glue:${action} on catalog`,
    `glue:${action} on database/LakeDatabase`,
    `glue:${action} on table/LakeDatabase/LakeTable`,
    `glue:${action} on ${COMPACTED}`,
  ]),
  'glue:GetDatabase on database/default',
  's3:AbortMultipartUpload on QueryResultsBucket/api/*',
  's3:GetBucketLocation on LakeEventsBucket',
  's3:GetBucketLocation on QueryResultsBucket',
  's3:GetObject on LakeEventsBucket/compacted/*',
  's3:GetObject on LakeEventsBucket/log_events/*',
  's3:GetObject on QueryResultsBucket/api/*',
  's3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"compacted/*"}}',
  's3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"log_events/*"}}',
  's3:ListBucket on QueryResultsBucket if {"StringLike":{"s3:prefix":"api/*"}}',
  's3:ListBucketMultipartUploads on QueryResultsBucket',
  's3:ListMultipartUploadParts on QueryResultsBucket/api/*',
  's3:PutObject on QueryResultsBucket/api/*',
];

describe('what each role may do', () => {
  test('ingest puts events on the stream, parks records, learns schemas, counts and records refusals', () => {
    expect(permissions(templates.service, 'IngestRole')).toEqual([
      `dynamodb:GetItem on TablesCache${onKeys('QUOTA#*')}`,
      'dynamodb:GetItem on TablesRegistry',
      `dynamodb:PutItem on TablesCache${onKeys('REJECTED#*')}`,
      'dynamodb:Query on TablesRegistry',
      `dynamodb:UpdateItem on TablesCache${onKeys('QUOTA#*')}`,
      LEARNING,
      'firehose:PutRecordBatch on LandingStream',
      ...ownLog('Ingest'),
      's3:PutObject on LakeEventsBucket/parked/*',
      'sqs:SendMessage on ParkingQueue',
    ]);
  });

  test('the redrive takes records from the parking place to the stream', () => {
    expect(permissions(templates.service, 'RedriveRole')).toEqual([
      'firehose:PutRecordBatch on LandingStream',
      ...ownLog('Redrive'),
      's3:GetObject on LakeEventsBucket/parked/*',
      'sqs:DeleteMessage on ParkingQueue',
      'sqs:GetQueueAttributes on ParkingQueue',
      'sqs:ReceiveMessage on ParkingQueue',
    ]);
  });

  test('query reads the lake through the API workgroup, keeps results and records calls', () => {
    expect(permissions(templates.service, 'QueryRole')).toEqual(
      [...QUERYING, ...ownLog('Query')].sort(),
    );
  });

  test('the warmer may do what query may', () => {
    expect(permissions(templates.service, 'WarmerRole')).toEqual(
      [...QUERYING, ...ownLog('Warmer')].sort(),
    );
  });

  test('alerts may do what query may, and publish to their topic', () => {
    expect(permissions(templates.service, 'AlertsRole')).toEqual(
      [...QUERYING, ...ownLog('Alerts'), 'sns:Publish on NotificationsTopic'].sort(),
    );
  });

  test('bootstrap changes the registry and reads the admin key', () => {
    expect(permissions(templates.service, 'BootstrapRole')).toEqual([
      ...REGISTRY_CHANGES,
      ...ownLog('Bootstrap'),
      'secretsmanager:GetSecretValue on AdminKeySecret',
    ]);
  });

  test('management changes the registry, reads refusals and how alerts are, and sends tests of them', () => {
    expect(permissions(templates.service, 'ManagementRole')).toEqual(
      [
        ...REGISTRY_CHANGES,
        `dynamodb:Query on TablesCache${onKeys('REJECTED#*')}`,
        ...['DeleteItem', 'GetItem', 'Query'].map(
          (action) => `dynamodb:${action} on TablesCache${onKeys('ALERT')}`,
        ),
        ...ownLog('Management'),
        'sns:Publish on NotificationsTopic',
      ].sort(),
    );
  });

  test('the transformation puts records back on the stream, and reads nothing', () => {
    expect(permissions(templates.service, 'TransformationRole')).toEqual([
      'firehose:PutRecordBatch on deliverystream/sluice-prod-landing',
      ...ownLog('Transformation'),
    ]);
  });

  test('Firehose writes files, reads the table definition, transforms records and logs failures', () => {
    expect(permissions(templates.service, 'LandingRole')).toEqual([
      ...['GetTable', 'GetTableVersion', 'GetTableVersions'].flatMap((action) => [
        `glue:${action} on catalog`,
        `glue:${action} on database/LakeDatabase`,
        `glue:${action} on table/LakeDatabase/LakeTable`,
      ]),
      ...['GetFunctionConfiguration', 'InvokeFunction'].flatMap((action) => [
        `lambda:${action} on function:sluice-prod-transformation`,
        `lambda:${action} on function:sluice-prod-transformation:$LATEST`,
      ]),
      'logs:PutLogEvents on LandingErrors',
      's3:AbortMultipartUpload on LakeEventsBucket/failed/*',
      's3:AbortMultipartUpload on LakeEventsBucket/log_events/*',
      's3:GetBucketLocation on LakeEventsBucket',
      's3:ListBucket on LakeEventsBucket',
      's3:ListBucketMultipartUploads on LakeEventsBucket',
      's3:PutObject on LakeEventsBucket/failed/*',
      's3:PutObject on LakeEventsBucket/log_events/*',
    ]);
  });

  test('compaction reads landing files, writes compacted ones, and keeps its own state', () => {
    expect(permissions(templates.service, 'CompactionJobRole')).toEqual(
      [
        ...[
          'GetQueryExecution',
          'GetQueryResults',
          'StartQueryExecution',
          'StopQueryExecution',
        ].map((action) => `athena:${action} on workgroup/sluice-prod-compaction`),
        `dynamodb:DeleteItem on TablesCache${onKeys('RESULT#compaction')}`,
        `dynamodb:UpdateItem on TablesCache${onKeys('RESULT#compaction')}`,
        `dynamodb:GetItem on TablesRegistry${onKeys('compaction')}`,
        `dynamodb:PutItem on TablesRegistry${onKeys('compaction')}`,
        `dynamodb:Query on TablesRegistry${onKeys('source')}`,
        ...['GetDatabase', 'GetPartitions', 'GetTable'].flatMap((action) => [
          `glue:${action} on catalog`,
          `glue:${action} on database/LakeDatabase`,
          `glue:${action} on table/LakeDatabase/LakeTable`,
          `glue:${action} on ${COMPACTED}`,
        ]),
        ...['CreateTable', 'UpdateTable'].flatMap((action) => [
          `glue:${action} on catalog`,
          `glue:${action} on database/LakeDatabase`,
          `glue:${action} on ${COMPACTED}`,
        ]),
        'glue:GetDatabase on database/default',
        ...ownLog('CompactionJob'),
        's3:GetObject on LakeEventsBucket/log_events/*',
        ...[
          'AbortMultipartUpload',
          'DeleteObject',
          'GetObject',
          'ListMultipartUploadParts',
          'PutObject',
        ].map((action) => `s3:${action} on LakeEventsBucket/compacted/*`),
        ...['AbortMultipartUpload', 'GetObject', 'ListMultipartUploadParts', 'PutObject'].map(
          (action) => `s3:${action} on QueryResultsBucket/compaction/*`,
        ),
        's3:GetBucketLocation on LakeEventsBucket',
        's3:GetBucketLocation on QueryResultsBucket',
        's3:ListBucketMultipartUploads on LakeEventsBucket',
        's3:ListBucketMultipartUploads on QueryResultsBucket',
        ...['compacted', 'log_events'].map(
          (prefix) =>
            `s3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"${prefix}/*"}}`,
        ),
        's3:ListBucket on QueryResultsBucket if {"StringLike":{"s3:prefix":"compaction/*"}}',
      ].sort(),
    );
  });

  test.each([
    ['AlertsScheduleRole', 'AlertsFunction'],
    ['WarmerScheduleRole', 'WarmerFunction'],
    ['ViewsUpdatesRole', 'ViewsFunction'],
    ['CompactionScheduleRole', 'CompactionJobFunction'],
  ])('the scheduler calls as %s only %s', (role, target) => {
    expect(permissions(templates.service, role)).toEqual([`lambda:InvokeFunction on ${target}`]);
  });
});

describe('all roles', () => {
  test('are these, without managed or attached policies', () => {
    const roles = Object.values({ ...templates }).flatMap((template) =>
      Object.entries(resources(template, 'AWS::IAM::Role')),
    );
    expect(roles.map(([id]) => id).sort()).toEqual([
      'AlertsRole',
      'AlertsScheduleRole',
      'BootstrapRole',
      'CompactionJobRole',
      'CompactionScheduleRole',
      'IngestRole',
      'LandingRole',
      'ManagementRole',
      'QueryRole',
      'RedriveRole',
      'TransformationRole',
      'ViewsRole',
      'ViewsUpdatesRole',
      'WarmerRole',
      'WarmerScheduleRole',
    ]);
    for (const [, role] of roles) expect(role.Properties).not.toHaveProperty('ManagedPolicyArns');
    for (const template of Object.values({ ...templates })) {
      template.resourceCountIs('AWS::IAM::Policy', 0);
    }
  });

  test.each([
    'AlertsScheduleRole',
    'CompactionScheduleRole',
    'LandingRole',
    'ViewsUpdatesRole',
    'WarmerScheduleRole',
  ])('%s serves only this account', (role) => {
    const { AssumeRolePolicyDocument } =
      resources(templates.service, 'AWS::IAM::Role')[role]?.Properties ?? {};
    expect(AssumeRolePolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });
});

test('the partitions that ingest may write are where the registry keeps schemas', async () => {
  const written: string[] = [];
  const client = {
    send: async ({ input }: { input: { Key?: { pk: string }; Item?: { pk: string } } }) =>
      written.push(input.Key?.pk ?? input.Item?.pk ?? ''),
  };
  const registry = dynamoRegistry({
    client: client as never,
    table: 'registry',
    clock: systemClock,
  });

  const token = '3f1b2c4d-0000-4000-8000-000000000000';
  await registry.learn(token, { 'metadata.level': 1 });
  await registry.assignSlots(token, [], ['metadata.level=string']);

  expect(written).toHaveLength(2);
  for (const partition of written) {
    expect(partition.startsWith(SCHEMA_PARTITIONS.replace('*', ''))).toBe(true);
  }
});

test('the cache partitions that ingest may write are where limits and refusals are', async () => {
  const written: string[] = [];
  const client = {
    send: async ({ input }: { input: { Key?: { pk: string }; Item?: { pk: string } } }) => {
      written.push(input.Key?.pk ?? input.Item?.pk ?? '');
      return { Attributes: { fullAt: 0 } };
    },
  };
  const table = { client: client as never, table: 'cache', clock: systemClock };

  await new DynamoBuckets(table).draw({ key: 'source#a', rate: 1 }, { tokens: 1, debt: 0 });
  await new DynamoRejections(table).append('a', []);

  const prefixes = [QUOTA_PARTITIONS, REJECTED_PARTITIONS];
  expect(written.map((pk) => prefixes.findIndex((prefix) => pk.startsWith(prefix)))).toEqual([
    0, 1,
  ]);
});
