import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../lib/config.ts';
import { Redrive } from '../../src/aws/redrive.ts';
import { LogRecorder } from '../aws/support/log.ts';
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
      'compaction-behind',
      'compaction-failed',
      'conversion-failed',
      'firehose-throttled',
      'ingest-errors',
      'ingest-function-failed',
      'ingest-throttled',
      'lake-stale',
      'management-function-failed',
      'parked-events',
      'queries-failed',
      'query-function-failed',
      'redrive-function-failed',
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
      // A job that does not run at all says nothing of how far behind it is.
      const silent = properties.AlarmName.endsWith('-compaction-behind');
      expect(properties.TreatMissingData).toBe(silent ? 'breaching' : 'notBreaching');
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

  test('ring when an acknowledged event has waited 15 minutes, however often it was tried', () => {
    const metrics: { Expression?: string; Id: string; MetricStat?: { Metric: object } }[] =
      alarm('parked-events').Metrics;
    expect(alarm('parked-events')).toMatchObject({ Threshold: 900, EvaluationPeriods: 1 });
    expect(metrics.find(({ Expression }) => Expression)?.Expression).toMatch(/^MAX/);
    const watched = metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    expect(watched).toEqual([
      { Namespace: 'Sluice/prod', MetricName: 'ParkedSeconds' },
      expect.objectContaining({
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateAgeOfOldestMessage',
      }),
    ]);
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

test('ParkedSeconds is what the redrive logs about records that wait', async () => {
  const filter = resources(observability, 'AWS::Logs::MetricFilter').ParkedAgeTried?.Properties;
  const logger = new LogRecorder();
  const redrive = new Redrive({
    client: { send: vi.fn() },
    stream: 'landing',
    objects: { get: vi.fn() },
    clock: { now: () => 90_000 },
    logger,
  });

  await redrive.run([{ id: '1', text: 'unreadable', sentAt: 30_000 }]);

  expect(text(filter.LogGroupName)).toBe('RedriveLogs');
  expect(filter.MetricTransformations).toEqual([
    { MetricName: 'ParkedSeconds', MetricNamespace: 'Sluice/prod', MetricValue: '$.oldestSeconds' },
  ]);
  const line = logger.at('warn').at(-1);
  expect(filter.FilterPattern).toBe(`{ $.message = "${line?.message}" }`);
  expect(line?.fields).toMatchObject({ oldestSeconds: 60 });
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
    expect.arrayContaining([
      'Alarms',
      'Age of the oldest parked record (s)',
      'Requests',
      'Queries',
      'Bytes scanned',
    ]),
  );
});
