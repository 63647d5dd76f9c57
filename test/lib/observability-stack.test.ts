import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../lib/config.ts';
import { only, resources, synthesise, text } from './stacks.ts';

let observability: Template;
beforeAll(() => {
  const config = { ...loadConfig('prod'), runbookUrl: 'https://example.com/runbook' };
  ({ observability } = synthesise({ ...config, alarmEmail: 'oncall@example.com' }));
});

const alarms = () =>
  Object.values(resources(observability, 'AWS::CloudWatch::Alarm')).map((one) => one.Properties);

const alarm = (name: string) => {
  const found = alarms().find(({ AlarmName }) => AlarmName === `sluice-prod-${name}`);
  if (found === undefined) throw new Error(`There is no alarm ${name}.`);
  return found;
};

describe('the alarms', () => {
  test('watch what users notice', () => {
    const names = alarms().map(({ AlarmName }) => AlarmName.replace('sluice-prod-', ''));
    expect(names.sort()).toEqual([
      'api-errors',
      'api-slow',
      'bootstrap-function-failed',
      'cache-throttled',
      'conversion-failed',
      'firehose-throttled',
      'ingest-errors',
      'ingest-function-failed',
      'ingest-throttled',
      'lake-stale',
      'management-function-failed',
      'queries-failed',
      'query-function-failed',
      'registry-throttled',
      'warmer-function-failed',
    ]);
  });

  test('say what is wrong and link to a section of the runbook', () => {
    for (const { AlarmDescription } of alarms()) {
      expect(AlarmDescription).toMatch(
        /^[A-Z].*\. Runbook: https:\/\/example\.com\/runbook#[a-z-]+$/,
      );
    }
  });

  test('are sent when they ring and when they end, and stay quiet without traffic', () => {
    for (const properties of alarms()) {
      expect(properties.AlarmActions.map(text)).toEqual(['AlarmTopic']);
      expect(properties.OKActions.map(text)).toEqual(['AlarmTopic']);
      expect(properties.TreatMissingData).toBe('notBreaching');
    }
  });

  test('ring at the first acknowledged event that is not in the lake', () => {
    const [metric] = alarm('conversion-failed').Metrics;
    expect(metric.MetricStat.Metric.MetricName).toBe('FailedConversion.Records');
    expect(alarm('conversion-failed')).toMatchObject({ Threshold: 1, EvaluationPeriods: 1 });
  });

  test('give the stream two buffers and five minutes to deliver', () => {
    const [metric] = alarm('lake-stale').Metrics;
    expect(metric.MetricStat.Metric.MetricName).toBe('DeliveryToS3.DataFreshness');
    expect(alarm('lake-stale').Threshold).toBe(900);
  });

  test('count failed queries of the API workgroup', () => {
    const [{ MetricStat }] = alarm('queries-failed').Metrics;
    expect(MetricStat.Stat).toBe('SampleCount');
    expect(MetricStat.Metric.Dimensions).toEqual([
      { Name: 'QueryState', Value: 'FAILED' },
      { Name: 'QueryType', Value: 'DML' },
      { Name: 'WorkGroup', Value: 'sluice-prod-api' },
    ]);
  });
});

test.each([
  ['IngestServerErrors', '"5*"'],
  ['IngestThrottled', '"429"'],
])('%s counts access log lines of the ingest routes', (name, status) => {
  const filter = resources(observability, 'AWS::Logs::MetricFilter')[`IngestAnswers${name}`];
  const { FilterPattern, LogGroupName, MetricTransformations } = filter?.Properties ?? {};
  expect(text(LogGroupName)).toBe('HttpAccessLogs');
  expect(FilterPattern).toContain(`$.status = ${status}`);
  expect(FilterPattern).toContain('$.route = "ANY /logs/{proxy+}"');
  expect(FilterPattern).not.toContain('query');
  expect(MetricTransformations).toEqual([
    { MetricName: name, MetricNamespace: 'Sluice/prod', MetricValue: '1' },
  ]);
});

describe('the alarm topic', () => {
  test('takes alarms of this account, over TLS', () => {
    const { Statement } = only(observability, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument;
    expect(Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });

  test('mails the address that is configured', () => {
    expect(only(observability, 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'oncall@example.com',
    });
  });
});

test('the dashboard shows every part of the way', () => {
  const { DashboardBody } = only(observability, 'AWS::CloudWatch::Dashboard').Properties;
  const body = JSON.parse(text(DashboardBody));
  const titles = body.widgets.map(
    (widget: { properties: { title: string } }) => widget.properties.title,
  );
  expect(titles).toEqual(
    expect.arrayContaining(['Alarms', 'Requests', 'Queries', 'Bytes scanned']),
  );
});
