/** What is encrypted, and what expires, in all stacks together. */
import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Resource, resources, synthesise } from './stacks.ts';

let templates: Template[];
beforeAll(() => {
  templates = Object.values({ ...synthesise() });
});

const all = (type: string): Record<string, Resource> =>
  Object.assign({}, ...templates.map((template) => resources(template, type)));

/** How a resource says that it is encrypted; undefined where it does not. */
const ENCRYPTION: Readonly<Record<string, (properties: Resource['Properties']) => unknown>> = {
  'AWS::S3::Bucket': ({ BucketEncryption }) =>
    BucketEncryption?.ServerSideEncryptionConfiguration[0].ServerSideEncryptionByDefault
      .SSEAlgorithm,
  'AWS::SQS::Queue': ({ SqsManagedSseEnabled, KmsMasterKeyId }) =>
    SqsManagedSseEnabled || KmsMasterKeyId,
  // False stands for DynamoDB's own key, which encrypts all tables that name no other.
  'AWS::DynamoDB::GlobalTable': ({ SSESpecification }) => SSESpecification && 'DynamoDB',
  'AWS::KinesisFirehose::DeliveryStream': ({ DeliveryStreamEncryptionConfigurationInput: sse }) =>
    sse?.KeyType,
  'AWS::Athena::WorkGroup': ({ WorkGroupConfiguration: { ResultConfiguration: results } }) =>
    results?.EncryptionConfiguration?.EncryptionOption,
};

describe('encryption', () => {
  test.each(Object.keys(ENCRYPTION))('of every %s is said', (type) => {
    const found = Object.entries(all(type));

    expect(found.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of found) {
      expect({ [id]: ENCRYPTION[type]?.(Properties) }).toEqual({ [id]: expect.anything() });
      expect({ [id]: ENCRYPTION[type]?.(Properties) }).not.toEqual({ [id]: false });
    }
  });
});

describe('what expires', () => {
  test('is every log, after the days that are configured', () => {
    for (const [id, { Properties, DeletionPolicy }] of Object.entries(all('AWS::Logs::LogGroup'))) {
      expect({ [id]: [Properties.RetentionInDays, DeletionPolicy] }).toEqual({
        [id]: [90, 'Delete'],
      });
    }
  });

  test.each([
    ['AccessLogsBucket', { '': 90 }],
    ['LakeEventsBucket', { 'failed/': 90, 'parked/': 21 }],
    ['QueryResultsBucket', { 'api/': 1, 'analysts/': 30 }],
  ])('is in %s under these prefixes', (id, expected) => {
    const rules: { Prefix?: string; ExpirationInDays?: number }[] =
      all('AWS::S3::Bucket')[id]?.Properties.LifecycleConfiguration.Rules;
    const expiring = rules.filter(({ ExpirationInDays }) => ExpirationInDays !== undefined);

    expect(
      Object.fromEntries(
        expiring.map(({ Prefix = '', ExpirationInDays }) => [Prefix, ExpirationInDays]),
      ),
    ).toMatchObject(expected);
  });
});
