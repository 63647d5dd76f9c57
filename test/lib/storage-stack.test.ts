import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../lib/config.ts';
import { FAILED_FILES } from '../../lib/lake/lake-layout.ts';
import { LANDING_COLUMNS, PARTITION_COLUMNS } from '../../src/lake/layout/columns.ts';
import { CACHE_TABLE, REGISTRY_TABLE } from '../../src/platform/dynamo/table-definitions.ts';
import { type Resource, resources, synthesise, text } from './stacks.ts';

let storage: Template;
beforeAll(() => {
  ({ storage } = synthesise());
});

const bucket = (id: string): Resource => {
  const found = resources(storage, 'AWS::S3::Bucket')[id];
  if (found === undefined) throw new Error(`There is no bucket ${id}.`);
  return found;
};

describe('every bucket', () => {
  const IDS = ['AccessLogsBucket', 'LakeEventsBucket', 'QueryResultsBucket'];

  test('is one of three', () => {
    expect(Object.keys(resources(storage, 'AWS::S3::Bucket')).sort()).toEqual(IDS);
  });

  test.each(IDS)('%s is private, encrypted and without ACLs', (id) => {
    expect(bucket(id).Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
        ],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    });
  });

  test.each(IDS)('%s refuses connections without TLS', (id) => {
    const policies = Object.values(resources(storage, 'AWS::S3::BucketPolicy'));
    const policy = policies.find(({ Properties }) => text(Properties.Bucket) === id);
    expect(policy?.Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 's3:*',
        Principal: { AWS: '*' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });

  test.each(IDS)('%s drops uploads that were never completed', (id) => {
    expect(bucket(id).Properties.LifecycleConfiguration.Rules).toContainEqual(
      expect.objectContaining({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } }),
    );
  });

  test.each([
    ['LakeEventsBucket', 'events/'],
    ['QueryResultsBucket', 'results/'],
  ])('%s has its accesses logged', (id, LogFilePrefix) => {
    const { DestinationBucketName, ...logging } = bucket(id).Properties.LoggingConfiguration;
    expect(text(DestinationBucketName)).toBe('AccessLogsBucket');
    expect(logging).toEqual({ LogFilePrefix });
  });
});

describe('what outlives the stack', () => {
  test.each([
    ['AWS::S3::Bucket', 'AccessLogsBucket', 'RetainExceptOnCreate'],
    ['AWS::S3::Bucket', 'LakeEventsBucket', 'RetainExceptOnCreate'],
    ['AWS::S3::Bucket', 'QueryResultsBucket', 'Delete'],
    ['AWS::Glue::Database', 'LakeDatabase', 'RetainExceptOnCreate'],
    ['AWS::Glue::Table', 'LakeTable', 'RetainExceptOnCreate'],
    ['AWS::Glue::Table', 'FailedEventsTable', 'Delete'],
    ['AWS::SQS::Queue', 'ParkingQueue', 'RetainExceptOnCreate'],
    ['AWS::DynamoDB::GlobalTable', 'TablesRegistry', 'Retain'],
    ['AWS::DynamoDB::GlobalTable', 'TablesCache', 'Delete'],
  ])('%s %s: %s', (type, id, DeletionPolicy) => {
    expect(resources(storage, type)[id]).toMatchObject({ DeletionPolicy });
  });

  const all = () =>
    Object.entries<Resource>(storage.toJSON().Resources).map(
      ([id, resource]): Resource => ({ id, ...resource }),
    );
  const stays = ({ DeletionPolicy = 'Delete' }: Resource) => DeletionPolicy !== 'Delete';

  test('is neither deleted when an update replaces it', () => {
    const kept = all().filter(stays);

    expect(kept.length).toBeGreaterThan(6);
    for (const { id, UpdateReplacePolicy } of kept) {
      expect({ [id]: UpdateReplacePolicy }).toEqual({ [id]: 'Retain' });
    }
  });

  test('keeps its policy, and what does not stay loses its own', () => {
    const kept = new Map(all().map((resource) => [resource.id, resource.DeletionPolicy]));
    const policies = all().flatMap(({ id, Type, Properties, DeletionPolicy }) => {
      const of = Type.endsWith('Policy') ? [Properties.Bucket, ...(Properties.Queues ?? [])] : [];
      return of.filter(Boolean).map(({ Ref }) => ({ id, of: Ref, DeletionPolicy }));
    });

    expect(policies).toHaveLength(4);
    for (const { id, of, DeletionPolicy } of policies) {
      expect({ [id]: DeletionPolicy }).toEqual({ [id]: kept.get(of) });
    }
  });

  test('has no name that a failed first deployment would leave taken', () => {
    const left = all().filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');

    expect(left.map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual(['TablesRegistry']);
    expect(left.every(({ Properties }) => Properties.TableName === undefined)).toBe(true);
  });
});

describe('the lake bucket', () => {
  const rules = (template: Template) =>
    resources(template, 'AWS::S3::Bucket').LakeEventsBucket?.Properties.LifecycleConfiguration
      .Rules;

  test('keeps deleted files for a week', () => {
    expect(bucket('LakeEventsBucket').Properties.VersioningConfiguration).toEqual({
      Status: 'Enabled',
    });
    expect(rules(storage)).toContainEqual(
      expect.objectContaining({ NoncurrentVersionExpiration: { NoncurrentDays: 7 } }),
    );
  });

  test('keeps failed records for 90 days', () => {
    expect(rules(storage)).toContainEqual(
      expect.objectContaining({ Prefix: 'failed/', ExpirationInDays: 90 }),
    );
  });

  test('keeps parked records longer than the queue keeps the messages that point to them', () => {
    expect(rules(storage)).toContainEqual(
      expect.objectContaining({ Prefix: 'parked/', ExpirationInDays: 21 }),
    );
  });

  test('never deletes compacted files: the job of compaction does', () => {
    const compacted = rules(storage).filter(({ Prefix }: { Prefix?: string }) =>
      Prefix?.startsWith('compacted/'),
    );
    // Nothing but a cheaper place for what nobody reads: a rule without an expiration.
    expect(compacted).toEqual([
      {
        Id: 'compacted-events',
        Prefix: 'compacted/',
        Status: 'Enabled',
        Transitions: [{ StorageClass: 'INTELLIGENT_TIERING', TransitionInDays: 30 }],
      },
    ]);
  });

  test.each([
    ['two weeks after they landed', {}, 14],
    ['later when told to', { landingRetentionDays: 90 }, 90],
    ['no later than events are deleted', { eventRetentionDays: 10 }, 10],
    ['as told when events are kept longer', { eventRetentionDays: 400 }, 14],
  ])('deletes landing files %s', (_, settings, days) => {
    const template = synthesise({ ...loadConfig('prod'), ...settings }).storage;
    expect(rules(template)).toContainEqual(
      expect.objectContaining({ Prefix: 'log_events/', ExpirationInDays: days }),
    );
  });
});

describe('the landing table in Glue', () => {
  const table = () => resources(storage, 'AWS::Glue::Table').LakeTable?.Properties.TableInput;

  test('has the columns that the sink writes and the compiler reads', () => {
    expect(table()).toMatchObject({ Name: 'log_events', TableType: 'EXTERNAL_TABLE' });
    expect(table().StorageDescriptor.Columns).toEqual(
      LANDING_COLUMNS.map(({ name, type, comment }) => ({
        Name: name,
        Type: type,
        Comment: comment,
      })),
    );
    expect(table().PartitionKeys).toEqual(
      PARTITION_COLUMNS.map(({ name, type }) => ({ Name: name, Type: type })),
    );
  });

  test('reads Parquet under the prefix that Firehose writes', () => {
    expect(text(table().StorageDescriptor.Location)).toBe('s3://LakeEventsBucket/log_events/');
    expect(table().StorageDescriptor.SerdeInfo.SerializationLibrary).toMatch(/ParquetHiveSerDe$/);
  });

  test('computes its partitions', () => {
    const { 'storage.location.template': template, ...parameters } = table().Parameters;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Athena's placeholders.
    expect(text(template)).toBe('s3://LakeEventsBucket/log_events/dt=${dt}/hour=${hour}/');
    expect(parameters).toMatchObject({
      'projection.enabled': 'true',
      'projection.dt.type': 'date',
      'projection.dt.format': 'yyyy-MM-dd',
      'projection.dt.range': '2026-11-01,NOW+1DAYS',
      'projection.hour.type': 'integer',
      'projection.hour.range': '0,23',
      'projection.hour.digits': '2',
    });
  });
});

describe('the table of failed records in Glue', () => {
  const table = () =>
    resources(storage, 'AWS::Glue::Table').FailedEventsTable?.Properties.TableInput;

  test('reads JSON lines where Firehose writes its errors', () => {
    const { Parameters, StorageDescriptor, PartitionKeys } = table();
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Athena's placeholders.
    const template = 's3://LakeEventsBucket/failed/${kind}/dt=${dt}/';
    expect(text(StorageDescriptor.Location)).toBe('s3://LakeEventsBucket/failed/');
    expect(text(Parameters['storage.location.template'])).toBe(template);
    expect(template.replace(/\$\{kind\}/, '!{firehose:error-output-type}')).toContain(
      FAILED_FILES.replace(/!\{timestamp:[^}]+\}/, '$${dt}'),
    );
    expect(StorageDescriptor.SerdeInfo.SerializationLibrary).toMatch(/openx.*JsonSerDe$/);
    expect(PartitionKeys).toEqual([
      { Name: 'kind', Type: 'string' },
      { Name: 'dt', Type: 'date' },
    ]);
    expect(Parameters).toMatchObject({
      'projection.kind.type': 'enum',
      'projection.kind.values': 'format-conversion-failed,processing-failed',
      'projection.dt.format': 'yyyy-MM-dd',
      'projection.dt.range': '2026-11-01,NOW+1DAYS',
    });
  });
});

describe('the DynamoDB tables', () => {
  const table = (id: string) => resources(storage, 'AWS::DynamoDB::GlobalTable')[id]?.Properties;

  test.each([
    ['TablesRegistry', REGISTRY_TABLE],
    ['TablesCache', CACHE_TABLE],
  ])('%s has the keys that the code uses, and costs nothing when idle', (id, keys) => {
    expect(table(id)).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: keys.partitionKey, KeyType: 'HASH' },
        { AttributeName: keys.sortKey, KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: keys.partitionKey, AttributeType: 'S' },
        { AttributeName: keys.sortKey, AttributeType: 'S' },
      ],
    });
  });

  test('the registry can be restored to any second and not be deleted by mistake', () => {
    expect(table('TablesRegistry').Replicas).toEqual([
      expect.objectContaining({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    ]);
  });

  test('the cache forgets what has expired', () => {
    expect(table('TablesCache').TimeToLiveSpecification).toEqual({
      AttributeName: 'ttl',
      Enabled: true,
    });
  });
});
