import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_MESSAGE_BYTES } from '../../../src/ingest/delivery/spill/spilled-record.ts';
import { only, resources, synthesise, type Templates, text } from '../stacks.ts';

let templates: Templates;
beforeAll(() => {
  templates = synthesise();
});

const queue = () => only(templates.storage, 'AWS::SQS::Queue').Properties;
const redrive = () => resources(templates.service, 'AWS::Lambda::Function').RedriveFunction;
const variables = (template: Template, id: string) =>
  resources(template, 'AWS::Lambda::Function')[id]?.Properties.Environment.Variables;

describe('the parking queue', () => {
  test('keeps messages as long as SQS can, and takes the largest that the code makes', () => {
    expect(queue()).toMatchObject({
      MessageRetentionPeriod: 14 * 24 * 3600,
      MaximumMessageSize: MAX_MESSAGE_BYTES,
    });
  });

  test('gives no message up after a number of attempts', () => {
    expect(queue()).not.toHaveProperty('RedrivePolicy');
  });

  test('is encrypted, and refuses connections without TLS', () => {
    expect(queue().SqsManagedSseEnabled).toBe(true);
    const { Statement } = only(templates.storage, 'AWS::SQS::QueuePolicy').Properties
      .PolicyDocument;
    expect(Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sqs:*',
        Principal: { AWS: '*' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    ]);
  });

  test('hides a message for longer than six calls of the redrive may take', () => {
    expect(queue().VisibilityTimeout).toBeGreaterThan(6 * redrive()?.Properties.Timeout);
  });
});

test('the redrive gets messages a few calls at a time, and names those that are not done', () => {
  const mapping = resources(templates.service, 'AWS::Lambda::EventSourceMapping').RedriveMapping
    ?.Properties;
  expect(text(mapping.EventSourceArn)).toBe('ParkingQueue');
  expect(text(mapping.FunctionName)).toBe('RedriveFunction');
  expect(mapping).toMatchObject({
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 2 },
  });
});

test('ingest and the redrive mean the same place', () => {
  const ingest = variables(templates.service, 'IngestFunction');
  expect(text(ingest.SPILL_QUEUE)).toBe('ParkingQueue');
  expect(text(ingest.SPILL_OBJECTS)).toBe('https://LakeEventsBucket/parked/');
  expect(variables(templates.service, 'RedriveFunction').SPILL_OBJECTS).toEqual(
    ingest.SPILL_OBJECTS,
  );
});
