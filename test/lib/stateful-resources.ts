import type { Template } from 'aws-cdk-lib/assertions';
import { text } from './stacks.ts';

/**
 * Types whose resources hold what cannot be had again, or are what others point to; with the
 * properties that CloudFormation cannot change without making a new resource.
 */
const STATEFUL: Readonly<Record<string, readonly string[]>> = {
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::Glue::Database': ['DatabaseInput.Name'],
  'AWS::Glue::Table': ['DatabaseName', 'TableInput.Name'],
  'AWS::KinesisFirehose::DeliveryStream': ['DeliveryStreamName', 'DeliveryStreamType'],
  'AWS::Athena::WorkGroup': ['Name'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
};

/**
 * Stateful resources of a template: logical id, what identifies the resource in AWS, and what becomes of it
 * when its stack is deleted.
 */
export function statefulResources(template: Template): Record<string, string> {
  const found = Object.entries(STATEFUL).flatMap(([type, keys]) =>
    Object.entries(template.findResources(type)).map(([id, resource]) => {
      const { Properties, DeletionPolicy = 'Delete' } = resource;
      const identity = keys.flatMap((key) => {
        const value = key.split('.').reduce((object, part) => object?.[part], Properties);
        return value === undefined ? [] : [`${key}=${identityText(value)}`];
      });
      return [id, [type, ...identity, `DeletionPolicy=${DeletionPolicy}`].join(' ')];
    }),
  );
  return Object.fromEntries(found.sort());
}

function identityText(value: unknown): string {
  return Array.isArray(value)
    ? value.map((one) => Object.values(one).join(':')).join(',')
    : text(value);
}
