/** `npm run preflight` on moto, which knows more services than the project's own stand-in, and was written by others. */
import { CreateLogGroupCommand, DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CreateDatabaseCommand, DeleteDatabaseCommand } from '@aws-sdk/client-glue';
import { PutDataLakeSettingsCommand } from '@aws-sdk/client-lakeformation';
import { CreateHostedZoneCommand } from '@aws-sdk/client-route-53';
import { CreateSecretCommand, DeleteSecretCommand } from '@aws-sdk/client-secrets-manager';
import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { beforeAll, expect, inject, test } from 'vitest';
import type { Target } from '../../bin/preflight/check.ts';
import { BOOTSTRAP_PARAMETER } from '../../bin/preflight/checks/bootstrap.ts';
import { type Clients, createClients } from '../../bin/preflight/clients.ts';
import { plannedDeployment } from '../../bin/preflight/planned-deployment.ts';
import { runChecks } from '../../bin/preflight/run-checks.ts';
import { PROD, target } from '../bin/preflight/account.ts';
import { pointSdkAt } from '../support/aws/aws-environment.ts';

/** Another Region than that of the other files, which use the same moto. */
const REGION = 'eu-north-1';

let clients: Clients;
beforeAll(() => {
  pointSdkAt(inject('moto'));
  clients = createClients(REGION);
});

/** What each check says. */
async function preflight(changes: Partial<Target> = {}): Promise<Record<string, string>> {
  const findings = await runChecks(
    target({
      planned: plannedDeployment(PROD),
      region: REGION,
      terminal: { region: REGION, from: 'AWS_REGION' },
      clients,
      ...changes,
    }),
  );
  return Object.fromEntries(
    findings.map(({ check, verdict }) => [check, `${verdict.state}: ${verdict.says}`]),
  );
}

test('an empty account is not prepared, and what moto does not know is not checked', async () => {
  expect(await preflight()).toMatchObject({
    Credentials: 'ok: Account 123456789012, as arn:aws:sts::123456789012:user/moto.',
    Services: 'ok: AWS lists all 14 that are used in eu-north-1.',
    'CDK bootstrap': expect.stringMatching(/^failed: .* not prepared/),
    Stacks: 'ok: None exists; three will be made.',
    Names: expect.stringMatching(/^ok: None/),
    'Glue database "default"': expect.stringMatching(/^failed: It does not exist/),
    'Lake Formation': expect.stringMatching(/^ok/),
    'Lambda concurrency': expect.stringMatching(/^unchecked/),
    'Athena queries': expect.stringMatching(/^unchecked/),
    'Firehose streams': expect.stringMatching(/^unchecked/),
  });
});

test('a prepared account passes, and the database is made once', async () => {
  await clients.ssm.send(
    new PutParameterCommand({ Name: BOOTSTRAP_PARAMETER, Value: '28', Type: 'String' }),
  );

  const first = await preflight({ fix: true });
  const second = await preflight({ fix: true });

  expect(first).toMatchObject({
    'CDK bootstrap': 'ok: Version 28.',
    'Glue database "default"': 'ok: It was created.',
  });
  expect(second['Glue database "default"']).toBe('ok: It exists.');
});

test('what an earlier deployment left behind is named', async () => {
  const database = 'sluice_prod';
  const secret = 'sluice-prod/admin-key';
  const logGroupName = '/aws/lambda/sluice-prod-query';
  await clients.glue.send(new CreateDatabaseCommand({ DatabaseInput: { Name: database } }));
  await clients.secrets.send(new CreateSecretCommand({ Name: secret, SecretString: 'x' }));
  await clients.secrets.send(new DeleteSecretCommand({ SecretId: secret }));
  await clients.logs.send(new CreateLogGroupCommand({ logGroupName: `${logGroupName}-2` }));
  await clients.logs.send(new CreateLogGroupCommand({ logGroupName }));

  const { Names } = await preflight();

  expect(Names).toMatch(/^failed/);
  expect(Names).toContain(
    ': the database sluice_prod, the secret sluice-prod/admin-key, the log group /aws/lambda/sluice-prod-query.',
  );

  await clients.glue.send(new DeleteDatabaseCommand({ Name: database }));
  await clients.secrets.send(
    new DeleteSecretCommand({ SecretId: secret, ForceDeleteWithoutRecovery: true }),
  );
  await clients.logs.send(new DeleteLogGroupCommand({ logGroupName }));
  expect((await preflight()).Names).toMatch(/^ok/);
});

test('Lake Formation that keeps new tables to itself is told', async () => {
  await clients.lakeFormation.send(
    new PutDataLakeSettingsCommand({
      DataLakeSettings: {
        CreateDatabaseDefaultPermissions: [
          {
            Principal: { DataLakePrincipalIdentifier: 'IAM_ALLOWED_PRINCIPALS' },
            Permissions: ['ALL'],
          },
        ],
        CreateTableDefaultPermissions: [],
      },
    }),
  );

  expect((await preflight())['Lake Formation']).toMatch(/^failed: It does not leave new tables/);
});

test('a hosted zone is found, and one that does not exist is not', async () => {
  const { HostedZone } = await clients.route53.send(
    new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: 'preflight' }),
  );
  const id = HostedZone?.Id?.replace('/hostedzone/', '') ?? '';
  const withZone = (zone: string) => ({
    config: {
      ...PROD,
      domain: { name: 'logs.example.com', hostedZone: { id: zone, name: 'example.com' } },
    },
  });

  const found = await preflight(withZone(id));
  const missing = await preflight(withZone('Z0000'));

  expect(found['Hosted zone']).toBe(`ok: example.com (${id}) takes logs.example.com.`);
  expect(missing['Hosted zone']).toBe('failed: This account has no hosted zone Z0000.');
});
