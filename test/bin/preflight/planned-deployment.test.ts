import { expect, test } from 'vitest';
import { BOOTSTRAP_PARAMETER, BOOTSTRAP_VERSION } from '../../../bin/preflight/checks/bootstrap.ts';
import { type NamedType, plannedDeployment } from '../../../bin/preflight/planned-deployment.ts';
import { loadConfig } from '../../../lib/config.ts';
import { type Resource, synthesise } from '../../lib/stacks.ts';
import { target } from './account.ts';

const prod = loadConfig('prod');
const templates = Object.values(synthesise(prod)).map((template) => template.toJSON());
const resources: Resource[] = templates.flatMap(({ Resources }) => Object.values(Resources));

const NAMES: Readonly<Record<string, readonly [NamedType, (properties: Resource) => unknown]>> = {
  'AWS::Athena::WorkGroup': ['workgroup', ({ Name }) => Name],
  'AWS::Glue::Database': ['database', ({ DatabaseInput }) => DatabaseInput.Name],
  'AWS::KinesisFirehose::DeliveryStream': ['stream', (of) => of.DeliveryStreamName],
  'AWS::Lambda::Function': ['function', ({ FunctionName }) => FunctionName],
  'AWS::Logs::LogGroup': ['log group', ({ LogGroupName }) => LogGroupName],
  'AWS::SecretsManager::Secret': ['secret', ({ Name }) => Name],
};

/**
 * Named resources that are in no other's way: CloudFormation puts alarms, dashboards and topics over those that exist,
 * and the rest have names within something else, or may share one.
 */
const HARMLESS = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Stage',
  'AWS::Athena::NamedQuery',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Glue::Table',
  'AWS::IAM::ManagedPolicy',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogStream',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::SNS::Topic',
];

test('names and concurrency are those of the templates', () => {
  const expected = resources.flatMap(({ Type, Properties }) => {
    const [type, nameOf] = NAMES[Type] ?? [];
    return type === undefined ? [] : [{ type, name: nameOf?.(Properties) }];
  });
  const reserved = resources.flatMap(({ Properties }) => {
    const { FunctionName: functionName, ReservedConcurrentExecutions: reserved } = Properties ?? {};
    return reserved === undefined ? [] : [{ functionName, reserved }];
  });

  const planned = plannedDeployment(prod);

  expect(planned).toEqual({
    stacks: ['sluice-prod-storage', 'sluice-prod-service', 'sluice-prod-observability'],
    names: expect.toSatisfy((names) => names.length === expected.length),
    concurrency: reserved,
  });
  expect(planned.names).toEqual(expect.arrayContaining(expected));
  expect(planned.names).toEqual(expect.arrayContaining([...target().planned.names]));
});

test('every other type that has a name is known to be in the way of no other', () => {
  const named = resources.filter(({ Properties = {} }) =>
    Object.keys(Properties).some((key) => key.endsWith('Name') && key !== 'MetricName'),
  );

  const unknown = new Set(named.map(({ Type }) => Type)).difference(
    new Set([...Object.keys(NAMES), ...HARMLESS]),
  );

  expect([...unknown]).toEqual([]);
});

test('the version of the bootstrap is what the templates ask for', () => {
  for (const { Parameters, Rules } of templates) {
    expect(Parameters.BootstrapVersion.Default).toBe(BOOTSTRAP_PARAMETER);
    const refused = JSON.stringify(Rules.CheckBootstrapVersion).match(/"\d+"/g) ?? [];
    expect(refused.map((text) => Number(JSON.parse(text)))).toEqual(
      Array.from({ length: BOOTSTRAP_VERSION - 1 }, (_, index) => index + 1),
    );
  }
});
