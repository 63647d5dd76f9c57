import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../lambdas/shared/environment.ts';
import { loadConfig } from '../../lib/config.ts';
import { resources, synthesise, text } from './stacks.ts';

let service: Template;
beforeAll(() => {
  ({ service } = synthesise());
});

const NAMES = [
  'ingest',
  'transformation',
  'redrive',
  'query',
  'management',
  'warmer',
  'alerts',
  'bootstrap',
  'views',
] as const;
type Name = (typeof NAMES)[number];

const id = (name: Name) => name.replace(/^\w/, (letter) => letter.toUpperCase());
const lambda = (name: Name, template = service) =>
  resources(template, 'AWS::Lambda::Function')[`${id(name)}Function`]?.Properties;

describe('the functions', () => {
  test('are these and compaction, and CDK adds none of its own', () => {
    service.resourceCountIs('AWS::Lambda::Function', NAMES.length + 1);
  });

  test.each(NAMES)('%s runs on Node 24 on arm64', (name) => {
    expect(lambda(name)).toMatchObject({
      FunctionName: `sluice-prod-${name}`,
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
    });
  });

  test.each([
    ['ingest', 15],
    ['transformation', 30],
    ['redrive', 30],
    ['query', 29],
    ['management', 15],
    ['warmer', 70],
    ['alerts', 110],
    ['bootstrap', 120],
    ['views', 300],
  ] as const)('%s ends after %i s', (name, seconds) => {
    expect(lambda(name).Timeout).toBe(seconds);
  });

  test.each(NAMES)('%s writes JSON lines to a log group that forgets', (name) => {
    const { LogGroup, ...logging } = lambda(name).LoggingConfig;
    expect(logging).toEqual({
      LogFormat: 'JSON',
      SystemLogLevel: 'WARN',
      ApplicationLogLevel: 'INFO',
    });
    expect(resources(service, 'AWS::Logs::LogGroup')[text(LogGroup)]?.Properties).toMatchObject({
      LogGroupName: `/aws/lambda/sluice-prod-${name}`,
      RetentionInDays: 90,
    });
  });

  test.each(NAMES)('%s finds in its environment all that it reads', (name) => {
    const { Variables } = lambda(name).Environment;
    const values = Object.fromEntries(
      Object.entries(Variables).map(([key, value]) => [key, text(value)]),
    );
    expect(() => readEnvironment(name, values)).not.toThrow();
  });

  test.each([
    [true, 'unless told otherwise', {}],
    [false, 'when told not to', { compressRecords: false }],
  ])('that write rows to the stream compress them (%s) %s', (compressed, _, setting) => {
    const template = synthesise({ ...loadConfig('prod'), ...setting }).service;

    const variables = NAMES.flatMap(
      (name) => lambda(name, template).Environment.Variables.COMPRESS_RECORDS ?? [],
    );

    // Ingest, query, warmer and alerts: the redrive puts on the stream what ingest has made.
    expect(variables).toEqual(Array(4).fill(String(compressed)));
  });

  test('query leaves Athena room for others', () => {
    expect(lambda('query').ReservedConcurrentExecutions).toBe(20);
  });

  test('nothing sets concurrency aside when told so', () => {
    const template = synthesise({ ...loadConfig('prod'), queryConcurrency: 'unreserved' }).service;
    for (const name of NAMES) {
      expect(lambda(name, template)).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });
});

const invocationsOf = (name: string) =>
  Object.values(resources(service, 'AWS::Lambda::EventInvokeConfig')).find(
    ({ Properties }) => text(Properties.FunctionName) === name,
  )?.Properties;

describe('warming', () => {
  const schedule = () =>
    resources(service, 'AWS::Scheduler::Schedule').WarmerSchedule?.Properties ?? {};

  test('happens every minute, on the minute', () => {
    const { Target, ...rest } = schedule();
    expect(rest).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
    });
    expect(text(Target.Arn)).toBe('WarmerFunction');
    expect(text(Target.RoleArn)).toBe('WarmerScheduleRole');
  });

  test('leaves what failed to the next minute', () => {
    const { Target } = schedule();
    expect(Target.RetryPolicy).toEqual({
      MaximumEventAgeInSeconds: 60,
      MaximumRetryAttempts: 1,
    });
    const invocations = invocationsOf('WarmerFunction');
    expect(invocations).toMatchObject({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
  });
});
