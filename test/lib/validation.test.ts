import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Config, environments, loadConfig } from '../../lib/config.ts';
import { addStacks } from '../../lib/sluice-app.ts';
import { newApp, WITHOUT_BUNDLING } from './stacks.ts';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'sluice-validation-'));
});
afterEach(() => rmSync(outdir, { recursive: true }));

/** What was acknowledged: where, which finding, and why. */
function acknowledgements(app: App) {
  return app.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ finding: `${node.path}: ${id}`, reason })),
  );
}

describe('synthesis', () => {
  const prod = loadConfig('prod');
  const domain = {
    name: 'logs.example.com',
    hostedZone: { id: 'Z0123', name: 'example.com' },
  };

  test.each<[string, Config]>([
    ...environments().map((name): [string, Config] => [name, loadConfig(name)]),
    ['an environment with all that is optional', { ...prod, domain, eventRetentionDays: 90 }],
    ['a Region that is named', { ...prod, region: 'eu-west-1' }],
    [
      'an account and a Region that are named',
      { ...prod, account: '111122223333', region: 'eu-west-1' },
    ],
  ])('of %s has no finding, once its alarms lead somewhere', (_name, config) => {
    const app = newApp({
      outdir,
      context: WITHOUT_BUNDLING,
      builtinCloudFormationValidation: true,
    });
    const alarmEmails = { page: ['oncall@example.com'], ticket: [] };
    addStacks(app, { ...config, alarmEmails, runbookUrl: 'https://example.com/runbook' });

    app.synth();

    const { pluginReports } = JSON.parse(
      readFileSync(join(outdir, 'validation-report.json'), 'utf8'),
    );
    // A plugin that found nothing, acknowledged or not, has no report.
    for (const { violations } of pluginReports) expect(violations).toEqual([]);
    expect(new AwsSolutionsChecks().validateScope(app).violations).toEqual([]);
  });

  test('stops at a finding that is not acknowledged', () => {
    const app = newApp({ outdir, context: WITHOUT_BUNDLING });
    const { storage } = addStacks(app, loadConfig('dev'));
    new Bucket(storage, 'Careless');

    expect(() => app.synth()).toThrow(/AwsSolutions-S10/);
  });
});

const GLUE = 'arn:<AWS::Partition>:glue:<AWS::Region>:<AWS::AccountId>';
const DATABASES = `${GLUE}:database/*`;
const TABLES = `${GLUE}:table/LakeDatabase/*`;

test('the findings that were acknowledged are these, each with its reason', () => {
  const app = newApp({ outdir, context: WITHOUT_BUNDLING });
  addStacks(app, loadConfig('prod'));

  const all = acknowledgements(app);

  const unauthorisedRoutes = all.filter(({ finding }) => finding.endsWith('AwsSolutions-APIG4'));
  const rest = all.filter((one) => !unauthorisedRoutes.includes(one));
  expect(unauthorisedRoutes.every(({ finding }) => finding.startsWith('Service/Http/'))).toBe(true);
  expect(
    rest
      .map(({ finding }) =>
        finding.replace(
          /sluice-prod-storage:ExportsOutput(?:FnGetAtt|Ref)(\w+?)[0-9A-F]{8}\w+/,
          '$1',
        ),
      )
      .sort(),
  ).toEqual([
    'Service/Alerts/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/compacted/*]',
    'Service/Alerts/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/log_events/*]',
    'Service/Alerts/Role: Annotation::AwsSolutions-IAM5[Resource::QueryResultsBucket/api/*]',
    'Service/Analysts: Annotation::AwsSolutions-IAM5[Resource::*]',
    'Service/Analysts: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/compacted/*]',
    'Service/Analysts: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/failed/*]',
    'Service/Analysts: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/log_events/*]',
    'Service/Analysts: Annotation::AwsSolutions-IAM5[Resource::QueryResultsBucket/analysts/*]',
    `Service/Analysts: Annotation::AwsSolutions-IAM5[Resource::${DATABASES}]`,
    `Service/Analysts: Annotation::AwsSolutions-IAM5[Resource::${TABLES}]`,
    'Service/Compaction/Job/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/compacted/*]',
    'Service/Compaction/Job/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/log_events/*]',
    'Service/Compaction/Job/Role: Annotation::AwsSolutions-IAM5[Resource::QueryResultsBucket/compaction/*]',
    'Service/Ingest/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/parked/*]',
    'Service/Landing/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/failed/*]',
    'Service/Landing/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/log_events/*]',
    'Service/Query/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/compacted/*]',
    'Service/Query/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/log_events/*]',
    'Service/Query/Role: Annotation::AwsSolutions-IAM5[Resource::QueryResultsBucket/api/*]',
    'Service/Redrive/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/parked/*]',
    'Service/Views/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/compacted/metadata/*]',
    'Service/Views/Role: Annotation::AwsSolutions-IAM5[Resource::QueryResultsBucket/catalog/*]',
    `Service/Views/Role: Annotation::AwsSolutions-IAM5[Resource::${TABLES}]`,
    'Service/Warmer/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/compacted/*]',
    'Service/Warmer/Role: Annotation::AwsSolutions-IAM5[Resource::LakeEventsBucket/log_events/*]',
    'Service/Warmer/Role: Annotation::AwsSolutions-IAM5[Resource::QueryResultsBucket/api/*]',
    'Service: CloudFormation-Validate::W7001',
    'Storage/AccessLogs: Annotation::AwsSolutions-S1',
    'Storage/AdminKey: Annotation::AwsSolutions-SMG4',
    'Storage/Parking/Queue: Annotation::AwsSolutions-SQS3',
  ]);
  for (const { reason } of all) expect(reason).toMatch(/^\S.{20,}\.$/);
});
