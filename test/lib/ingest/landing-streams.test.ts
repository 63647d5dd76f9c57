import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../lib/config.ts';
import { ALARM_METRICS, STREAM_ALARM_METRICS } from '../../../src/cost/month.ts';
import { alarmMetrics } from '../alarm-metrics.ts';
import { resources, synthesise, type Templates, text } from '../stacks.ts';
import { statefulResources } from '../stateful-resources.ts';

const NAMES = ['sluice-prod-landing', 'sluice-prod-landing-2', 'sluice-prod-landing-3'];

let one: Templates;
let three: Templates;
beforeAll(() => {
  one = synthesise();
  three = synthesise({ ...loadConfig('prod'), landingStreams: 3 });
});

const streams = ({ service }: Templates) =>
  Object.values(resources(service, 'AWS::KinesisFirehose::DeliveryStream'));

describe('three landing streams', () => {
  test('leave the first, and all else that holds data, what it was', () => {
    expect(statefulResources(three.service)).toMatchObject(statefulResources(one.service));
  });

  test('differ in nothing but name, log and role', () => {
    const settings = streams(three).map(({ Properties }) => {
      const { RoleARN, CloudWatchLoggingOptions, DataFormatConversionConfiguration, ...rest } =
        Properties.ExtendedS3DestinationConfiguration;
      const { SchemaConfiguration, ...formats } = DataFormatConversionConfiguration;
      const same = { ...rest, formats, table: text(SchemaConfiguration.TableName) };
      return JSON.stringify(same).replaceAll(/Landing\d?Role\w+/g, 'Role');
    });

    expect(streams(three).map(({ Properties }) => Properties.DeliveryStreamName)).toEqual(NAMES);
    expect(settings[1]).toEqual(settings[0]);
    expect(settings[2]).toEqual(settings[0]);
  });

  test.each(['Ingest', 'Redrive', 'Query', 'Warmer'])(
    'are known to %s, which may write them',
    (name) => {
      const { Properties } =
        resources(three.service, 'AWS::Lambda::Function')[`${name}Function`] ?? {};
      const policies = JSON.stringify(
        Object.values(three.service.findResources('AWS::IAM::Role')).filter(({ Properties }) =>
          JSON.stringify(Properties).includes('firehose:PutRecordBatch'),
        ),
      );

      expect(text(Properties?.Environment.Variables.LANDING_STREAM)).toBe(
        'LandingStream,Landing2Stream,Landing3Stream',
      );
      expect(policies).toMatch(/Landing3Stream\w+","Arn/);
    },
  );

  test('have the alarms of one stream, each of the worst of the three', () => {
    const ids = ({ observability }: Templates) =>
      Object.keys(resources(observability, 'AWS::CloudWatch::Alarm'));
    const { lakeStale } = Object.fromEntries(
      Object.values(resources(three.observability, 'AWS::CloudWatch::Alarm')).map(
        ({ Properties }) => [
          Properties.AlarmName === 'sluice-prod-lake-stale' ? 'lakeStale' : '',
          Properties,
        ],
      ),
    );

    expect(ids(three)).toEqual(ids(one));
    expect(lakeStale.Metrics[0]).toMatchObject({
      Expression: 'MAX([FILL(stream1, 0), FILL(stream2, 0), FILL(stream3, 0)])',
    });
    expect(lakeStale.Metrics).toHaveLength(4);
    expect(lakeStale.Metrics[1].MetricStat.Period).toBe(300);
  });

  test('cost what the model adds for each', () => {
    expect(alarmMetrics(three.observability)).toBe(ALARM_METRICS + 2 * STREAM_ALARM_METRICS);
  });

  test('are all on the dashboard', () => {
    const { Properties } =
      Object.values(resources(three.observability, 'AWS::CloudWatch::Dashboard'))[0] ?? {};
    const body = JSON.stringify(Properties?.DashboardBody);

    for (const label of ['oldest 1', 'oldest 3', 'throttled 2', 'Landing stream 3']) {
      expect(body).toContain(label);
    }
  });
});
