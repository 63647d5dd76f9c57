import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../lib/config.ts';
import { only, resources, synthesise, text } from '../stacks.ts';

let service: Template;
beforeAll(() => {
  ({ service } = synthesise());
});

describe('the landing stream', () => {
  const stream = () => only(service, 'AWS::KinesisFirehose::DeliveryStream').Properties;
  const destination = () => stream().ExtendedS3DestinationConfiguration;

  test('is encrypted with a key that costs nothing', () => {
    expect(stream().DeliveryStreamEncryptionConfigurationInput).toEqual({
      KeyType: 'AWS_OWNED_CMK',
    });
  });

  test('collects as many bytes as it may, for a minute', () => {
    expect(destination().BufferingHints).toEqual({ SizeInMBs: 128, IntervalInSeconds: 60 });
  });

  test('files by hour of arrival, failures apart', () => {
    expect(text(destination().BucketARN)).toBe('LakeEventsBucket');
    expect(destination()).toMatchObject({
      Prefix: 'log_events/dt=!{timestamp:yyyy-MM-dd}/hour=!{timestamp:HH}/',
      ErrorOutputPrefix: 'failed/!{firehose:error-output-type}/dt=!{timestamp:yyyy-MM-dd}/',
    });
    expect(destination()).not.toHaveProperty('DynamicPartitioningConfiguration');
    expect(destination()).not.toHaveProperty('CustomTimeZone');
  });

  test('converts JSON to Parquet by the newest version of the landing table', () => {
    const { SchemaConfiguration, ...conversion } = destination().DataFormatConversionConfiguration;
    expect(text(SchemaConfiguration.TableName)).toBe('LakeTable');
    expect(text(SchemaConfiguration.DatabaseName)).toBe('LakeDatabase');
    expect(SchemaConfiguration.VersionId).toBe('LATEST');
    expect(conversion).toEqual({
      Enabled: true,
      InputFormatConfiguration: {
        Deserializer: {
          OpenXJsonSerDe: { CaseInsensitive: true, ConvertDotsInJsonKeysToUnderscores: false },
        },
      },
      OutputFormatConfiguration: { Serializer: { ParquetSerDe: { Compression: 'GZIP' } } },
    });
  });

  test('is transformed by the function, which Firehose calls with as little as it may and four times', () => {
    const { Enabled, Processors } = destination().ProcessingConfiguration;
    const parameters = Processors[0].Parameters.map(
      (one: { ParameterName: string; ParameterValue: unknown }) => [
        one.ParameterName,
        text(one.ParameterValue),
      ],
    );

    expect([Enabled, Processors.length, Processors[0].Type]).toEqual([true, 1, 'Lambda']);
    expect(Object.fromEntries(parameters)).toEqual({
      RoleArn: 'LandingRole',
      LambdaArn: 'TransformationFunction',
      BufferIntervalInSeconds: '5',
      BufferSizeInMBs: '0.2',
      NumberOfRetries: '3',
    });
  });

  test('comes after its role by way of a role and a function, which take their time', () => {
    const dependencies = (type: string, id: string): string[] =>
      (resources(service, type)[id]?.DependsOn ?? []).map((one: string) => text({ Ref: one }));

    expect(dependencies('AWS::IAM::Role', 'TransformationRole')).toContain('LandingRole');
    expect(dependencies('AWS::Lambda::Function', 'TransformationFunction')).toEqual(
      expect.arrayContaining(['LandingRole', 'TransformationRole']),
    );
    expect(JSON.stringify(destination().ProcessingConfiguration)).toContain(
      'TransformationFunction',
    );
  });

  test('logs what it cannot deliver, for as long as configured', () => {
    expect(destination().CloudWatchLoggingOptions).toMatchObject({ Enabled: true });
    expect(resources(service, 'AWS::Logs::LogGroup').LandingErrors?.Properties).toMatchObject({
      LogGroupName: '/aws/kinesisfirehose/sluice-prod-landing',
      RetentionInDays: 90,
    });
  });

  test.each([
    // Fifteen minutes, and 125 s for four calls of the transformation, come on top.
    [60, '1085'],
    [900, '1925'],
  ])('with a buffer of %i s tells the compiler to look %s s back', (bufferSeconds, expected) => {
    const { service } = synthesise({ ...loadConfig('prod'), bufferSeconds });
    const { BufferingHints } = only(service, 'AWS::KinesisFirehose::DeliveryStream').Properties
      .ExtendedS3DestinationConfiguration;
    const query = resources(service, 'AWS::Lambda::Function').QueryFunction;
    expect(BufferingHints.IntervalInSeconds).toBe(bufferSeconds);
    expect(query?.Properties.Environment.Variables.MAX_FILING_DELAY_SECONDS).toBe(expected);
  });
});
