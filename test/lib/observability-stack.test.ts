import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../lib/config.ts';
import { Redrive } from '../../src/ingest/delivery/redrive/redrive.ts';
import { Compactor } from '../../src/lake/compaction/compactor.ts';
import { METRIC_DIMENSIONS, metricsNamespace } from '../../src/platform/metrics.ts';
import {
  freeForAll,
  hour,
  MIDNIGHT,
  ModelLake,
  ModelState,
  ModelStore,
} from '../lake/compaction/support.ts';
import { LogRecorder } from '../support/aws/log.ts';
import { only, resources, synthesise, text } from './stacks.ts';

let observability: Template;
let service: Template;
beforeAll(() => {
  const config = { ...loadConfig('prod'), runbookUrl: 'https://example.com/runbook' };
  const alarmEmails = {
    page: ['oncall@example.com', 'second@example.com'],
    ticket: ['team@example.com'],
  };
  ({ observability, service } = synthesise({ ...config, alarmEmails }));
});

const alarms = () =>
  Object.values(resources(observability, 'AWS::CloudWatch::Alarm')).map((one) => one.Properties);

const alarm = (name: string) => {
  const found = alarms().find(({ AlarmName }) => AlarmName === `sluice-prod-${name}`);
  if (found === undefined) throw new Error(`There is no alarm ${name}.`);
  return found;
};

/** Logical ids of the functions of the service. */
const functionIds = () => Object.keys(resources(service, 'AWS::Lambda::Function'));

describe('the alarms', () => {
  const names = (severity: string) =>
    alarms()
      .filter(({ AlarmDescription }) => AlarmDescription.includes(` Severity: ${severity}. `))
      .map(({ AlarmName }) => AlarmName.replace('sluice-prod-', ''))
      .sort();

  test('that need a person now', () => {
    expect(names('page')).toEqual([
      'alerts-not-checked',
      'api-errors',
      'conversion-failed',
      'ingest-errors',
      'ingest-function-failed',
      'lake-stale',
      'management-function-failed',
      'parked-events',
      'processing-failed',
      'query-function-failed',
      'registry-throttled',
      'scan-cost',
      'transformation-failing',
    ]);
  });

  test('that can wait for days', () => {
    expect(names('ticket')).toEqual([
      'analysts-scan-cost',
      'api-slow',
      'bootstrap-function-failed',
      'cache-throttled',
      'compaction-behind',
      'compaction-failed',
      'compaction-scan-cost',
      'firehose-throttled',
      'ingest-throttled',
      'maintenance-failed',
      'queries-failed',
      'queries-timed-out',
      'records-put-back',
      'redrive-function-failed',
      'transformation-function-failed',
      'transformation-throttled',
      'views-function-failed',
      'warmer-function-failed',
      'warming-behind',
    ]);
  });

  test('say what is wrong, how urgent it is, and link to a section of the runbook', () => {
    for (const { AlarmDescription } of alarms()) {
      expect(AlarmDescription).toMatch(
        /^[A-Z].*\. Severity: (page|ticket)\. Runbook: https:\/\/example\.com\/runbook#[a-z-]+$/,
      );
    }
  });

  test('are sent to the topic of their severity when they ring and when they end', () => {
    for (const { AlarmDescription, AlarmActions, OKActions } of alarms()) {
      const topic = AlarmDescription.includes(' Severity: page. ') ? 'PagesTopic' : 'TicketsTopic';
      expect(AlarmActions.map(text)).toEqual([topic]);
      expect(OKActions.map(text)).toEqual([topic]);
    }
  });

  test('stay quiet without traffic', () => {
    const others = alarms().filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
    expect(others.map(({ AlarmName }) => AlarmName).sort()).toEqual([
      'sluice-prod-alerts-not-checked',
      'sluice-prod-compaction-behind',
      'sluice-prod-warming-behind',
    ]);
  });

  test('tell when compaction falls silent, and wait for its first run', () => {
    const { TreatMissingData, InsufficientDataActions } = alarm('compaction-behind');
    expect(TreatMissingData).toBe('missing');
    expect(InsufficientDataActions.map(text)).toEqual(['TicketsTopic']);
  });

  test('ring at the first acknowledged event that is not in the lake', () => {
    const [metric] = alarm('conversion-failed').Metrics;
    expect(metric.MetricStat.Metric.MetricName).toBe('FailedConversion.Records');
    expect(alarm('conversion-failed')).toMatchObject({ Threshold: 1, EvaluationPeriods: 1 });
  });

  test('ring at the first acknowledged event that could not be transformed, by two logs', () => {
    const [metric] = alarm('processing-failed').Metrics;
    expect(metric.MetricStat).toMatchObject({
      Metric: { MetricName: 'TransformationsFailed' },
      Stat: 'Sum',
    });
    expect(alarm('processing-failed')).toMatchObject({ Threshold: 1, EvaluationPeriods: 1 });
    const filters = Object.values(resources(observability, 'AWS::Logs::MetricFilter'))
      .map(({ Properties }) => Properties)
      .filter((one) => one.MetricTransformations[0].MetricName === 'TransformationsFailed')
      .map((one) => [text(one.LogGroupName), one.FilterPattern]);
    expect(filters).toEqual([
      [
        'TransformationLogs',
        '{ ($.message = "records not read") || ($.message = "records not put back") }',
      ],
      ['LandingErrors', '{ $.errorCode = "Lambda.*" }'],
    ]);
  });

  test('ring when Firehose calls the transformation in vain', () => {
    const metrics: { Expression?: string; MetricStat?: { Metric: object; Stat: string } }[] =
      alarm('transformation-failing').Metrics;
    expect(alarm('transformation-failing')).toMatchObject({ Threshold: 0.5 });
    expect(metrics).toEqual([
      expect.objectContaining({ Expression: '1 - success' }),
      expect.objectContaining({
        MetricStat: expect.objectContaining({
          Metric: expect.objectContaining({ MetricName: 'ExecuteProcessing.Success' }),
          Stat: 'Average',
        }),
      }),
    ]);
  });

  test('give the stream two buffers of a minute, a transformation and five minutes to deliver', () => {
    const [metric] = alarm('lake-stale').Metrics;
    expect(metric.MetricStat.Metric.MetricName).toBe('DeliveryToS3.DataFreshness');
    expect(alarm('lake-stale').Threshold).toBe(2 * 60 + 125 + 300);
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

  test('ring when an hour of scanning costs more than is configured, of stopped queries as well', () => {
    const { Threshold, Metrics } = alarm('scan-cost');
    const metrics: { Expression?: string; MetricStat?: MetricStat }[] = Metrics;
    expect(Threshold).toBe(5);
    expect(metrics.find(({ Expression }) => Expression)?.Expression).toBe(
      '(FILL(succeeded, 0) + FILL(canceled, 0)) * 5 / 1000000000000',
    );
    const scanned = metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
    expect(scanned.map(({ Metric, Period }) => [Metric.MetricName, Period])).toEqual(
      Array(2).fill(['ProcessedBytes', 3_600]),
    );
  });

  test.each([
    ['scan-cost', 'sluice-prod-api'],
    ['analysts-scan-cost', 'sluice-prod-analysts'],
    ['compaction-scan-cost', 'sluice-prod-compaction'],
  ])('%s watches what %s scans, at the price that is configured', (name, workgroup) => {
    const metrics: { MetricStat?: MetricStat }[] = alarm(name).Metrics;
    const workgroups = metrics.flatMap(({ MetricStat }) =>
      (MetricStat?.Metric.Dimensions ?? []).filter(({ Name }) => Name === 'WorkGroup'),
    );
    expect(workgroups.map(({ Value }) => Value)).toEqual([workgroup, workgroup]);
    expect(alarm(name).Threshold).toBe(5);
  });

  test('ring when no pass of the warmer in 15 minutes got to everything, or there was none', () => {
    expect(alarm('warming-behind')).toMatchObject({
      Namespace: metricsNamespace('prod'),
      MetricName: 'WarmingBacklog',
      Dimensions: Object.entries(METRIC_DIMENSIONS).map(([Name, Value]) => ({ Name, Value })),
      Statistic: 'Minimum',
      Period: 300,
      Threshold: 1,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
    });
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
  const filter = resources(observability, 'AWS::Logs::MetricFilter')[`AccessLogMetrics${name}`];
  const { FilterPattern, LogGroupName, MetricTransformations } = filter?.Properties ?? {};
  expect(text(LogGroupName)).toBe('HttpAccessLogs');
  expect(FilterPattern).toContain(`$.status = ${status}`);
  expect(FilterPattern).toContain('$.route = "ANY /logs/{proxy+}"');
  expect(FilterPattern).not.toContain('query');
  expect(MetricTransformations).toEqual([
    { MetricName: name, MetricNamespace: 'Sluice/prod', MetricValue: '1' },
  ]);
});

test('server errors of the API are 5xx but the 504 of slow queries, which has a count of its own', () => {
  const filters = resources(observability, 'AWS::Logs::MetricFilter');
  const pattern = (name: string) => {
    const { LogGroupName, FilterPattern } = filters[`AccessLogMetrics${name}`]?.Properties ?? {};
    return [text(LogGroupName), FilterPattern];
  };

  expect(pattern('ApiServerErrors')).toEqual([
    'HttpAccessLogs',
    '{ ($.status = "5*") && ($.status != "504") }',
  ]);
  expect(pattern('QueriesTimedOut')).toEqual(['HttpAccessLogs', '{ $.status = "504" }']);
  expect(alarm('api-errors').MetricName).toBe('ApiServerErrors');
  expect(alarm('queries-timed-out').MetricName).toBe('QueriesTimedOut');
});

test('ParkedSeconds is what the redrive logs about records that wait', async () => {
  const filter = resources(observability, 'AWS::Logs::MetricFilter').SpillQueueAgeTried?.Properties;
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

test('CompactionBehind and MaintenanceFailures are what each run of compaction logs', async () => {
  const filters = resources(observability, 'AWS::Logs::MetricFilter');
  const { CompactionLagBehind: behind, MaintenanceFailuresMost: failures } = filters;
  const logger = new LogRecorder();
  const compactor = new Compactor({
    store: new ModelStore(
      new ModelLake(),
      () => {},
      () => '2026-02-10',
    ),
    registry: new ModelState().client(() => {}),
    leases: freeForAll,
    clock: { now: () => hour(10.5) },
    logger,
    firstHour: MIDNIGHT,
    maxFilingDelaySeconds: 1_200,
  });

  await compactor.runOnce(Number.POSITIVE_INFINITY);

  const line = logger.at('info').at(-1);
  for (const { Properties } of [behind, failures] as { Properties: Record<string, unknown> }[]) {
    expect(text(Properties.LogGroupName)).toBe('CompactionJobLogs');
    expect(Properties.FilterPattern).toBe(`{ $.message = "${line?.message}" }`);
  }
  const named = (name: string, value: string) => [
    { MetricName: name, MetricNamespace: 'Sluice/prod', MetricValue: value },
  ];
  expect(behind?.Properties.MetricTransformations).toEqual(
    named('CompactionBehind', '$.behindSeconds'),
  );
  expect(failures?.Properties.MetricTransformations).toEqual(
    named('MaintenanceFailures', '$.mostFailures'),
  );
  expect(line?.fields).toMatchObject({ behindSeconds: 1_800, mostFailures: 0 });
});

describe('the alarm topics', () => {
  test('take alarms of this account, over TLS', () => {
    const policies = Object.values(resources(observability, 'AWS::SNS::TopicPolicy'));
    expect(policies).toHaveLength(2);
    for (const { Properties } of policies) {
      expect(Properties.PolicyDocument.Statement).toEqual([
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
    }
  });

  test('mail the addresses that are configured for their severity', () => {
    const mailed = Object.values(observability.findResources('AWS::SNS::Subscription')).map(
      ({ Properties }) =>
        `${Properties.Protocol} ${text(Properties.TopicArn)} ${Properties.Endpoint}`,
    );
    expect(mailed.sort()).toEqual([
      'email PagesTopic oncall@example.com',
      'email PagesTopic second@example.com',
      'email TicketsTopic team@example.com',
    ]);
  });
});

describe('the dashboard', () => {
  const widgets = (): { properties: { title?: string; markdown?: string } }[] =>
    JSON.parse(text(only(observability, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody))
      .widgets;

  test('shows every part of the way', () => {
    expect(widgets().map(({ properties }) => properties.title)).toEqual(
      expect.arrayContaining([
        'Alarms',
        'Requests',
        'Events',
        'Age of the oldest event not in the lake (s)',
        'Age of the oldest parked record (s)',
        'Cache',
        'Queries',
        'Scan cost per hour (USD)',
        'Warming backlog',
        'DynamoDB refuses',
        'Function errors',
      ]),
    );
  });

  test.each(['Function errors', 'Function time (ms, p99)', 'Functions at once'])(
    'has every function that is called in the graph "%s"',
    (title) => {
      const shown = JSON.stringify(widgets().find(({ properties }) => properties.title === title));
      for (const id of functionIds()) expect(shown).toContain(`"FunctionName","${id}"`);
    },
  );

  test('leads to where one looks next', () => {
    const [{ properties }] = widgets() as [{ properties: { markdown: string } }];
    const links = [...properties.markdown.matchAll(/\[([^\]]+)\]\((https:[^)]+)\)/g)];
    expect(links.map(([, title]) => title)).toEqual(
      expect.arrayContaining(['Runbook', 'Log queries', 'Queries of the API', 'Lake']),
    );
    for (const [, , url] of links.slice(1)) {
      expect(url).toMatch(
        /^https:\/\/AWS::Region\.console\.aws\.amazon\.com\/.+region=AWS::Region/,
      );
    }
  });
});

test('the log query for warnings and errors reads the log of every function', () => {
  const saved = Object.values(resources(observability, 'AWS::Logs::QueryDefinition'));
  const query = saved.find(({ Properties }) =>
    Properties.Name.endsWith('Warnings and errors of functions'),
  );
  const logs: unknown[] = query?.Properties.LogGroupNames;

  expect(logs.map(text).sort()).toEqual(
    functionIds()
      .map((id) => id.replace(/Function$/, 'Logs'))
      .sort(),
  );
});

test('log queries are saved for the questions of the runbook', () => {
  const saved = Object.values(resources(observability, 'AWS::Logs::QueryDefinition'));
  for (const { Properties } of saved) {
    expect(Properties.Name).toMatch(/^sluice-prod\//);
    expect(Properties.LogGroupNames.length).toBeGreaterThan(0);
  }
  expect(saved.map(({ Properties }) => Properties.QueryString)).toContain(
    'fields @timestamp, bytesScanned, engineMs, queueMs, executionId, @log\n' +
      '| filter message in ["athena execution read", "athena statement done"]\n| sort bytesScanned desc\n| limit 50',
  );
});

interface MetricStat {
  readonly Metric: {
    readonly MetricName: string;
    readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
  };
  readonly Period: number;
}
