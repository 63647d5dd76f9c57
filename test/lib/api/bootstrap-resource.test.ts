import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { BootstrapResource } from '../../../lib/api/bootstrap-resource.ts';
import { newApp, only, resources, synthesise, type Templates, text } from '../stacks.ts';

let templates: Templates;
beforeAll(() => {
  templates = synthesise();
});

describe('the admin key', () => {
  test('is made up by Secrets Manager, of letters and digits', () => {
    const { Properties } = only(templates.storage, 'AWS::SecretsManager::Secret');
    expect(Properties).toMatchObject({
      Name: 'sluice-prod/admin-key',
      GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true },
    });
    expect(Properties).not.toHaveProperty('SecretString');
  });

  test('goes with the stack, so that a new one can have its name', () => {
    const secret = only(templates.storage, 'AWS::SecretsManager::Secret');
    expect(secret.DeletionPolicy).toBe('Delete');
  });

  test('is named in templates, and its value is in none', () => {
    for (const template of Object.values({ ...templates })) {
      expect(JSON.stringify(template.toJSON())).not.toContain('{{resolve:secretsmanager');
    }
  });

  test('is read by bootstrap and nobody else', () => {
    const readers = Object.entries(resources(templates.service, 'AWS::IAM::Role'))
      .filter(([, role]) => JSON.stringify(role.Properties).includes('secretsmanager:'))
      .map(([id]) => id);
    expect(readers).toEqual(['BootstrapRole']);
    for (const template of Object.values({ ...templates })) {
      template.resourceCountIs('AWS::SecretsManager::ResourcePolicy', 0);
    }
  });

  test('is printed by the command that the service stack gives out', () => {
    expect(templates.service.findOutputs('AdminKeyCommand').AdminKeyCommand?.Value).toBe(
      'aws secretsmanager get-secret-value --secret-id sluice-prod/admin-key --query SecretString --output text',
    );
  });
});

describe('the first run', () => {
  test('is a call of bootstrap, which has five minutes to answer', () => {
    const { ServiceToken, ServiceTimeout } = only(
      templates.service,
      'Custom::SluiceFirstRun',
    ).Properties;
    expect(text(ServiceToken)).toBe('BootstrapFunction');
    expect(ServiceTimeout).toBe('300');
  });

  test('happens again when what is shipped changes, and only then', () => {
    const shipped = [{ name: 'logs.all', query: 'select 1' }];

    expect(firstRun(structuredClone(shipped))).toEqual(firstRun(shipped));
    expect(firstRun([{ name: 'logs.all', query: 'select 2' }])).not.toEqual(firstRun(shipped));
  });
});

/** The resource's properties in a stack of its own. */
function firstRun(shipped: unknown) {
  const stack = new Stack(newApp());
  const bootstrap = LambdaFunction.fromFunctionName(stack, 'Bootstrap', 'bootstrap');
  new BootstrapResource(stack, 'Resource', { bootstrap, secret: { secretArn: 'secret' }, shipped });
  return only(Template.fromStack(stack), 'Custom::SluiceFirstRun').Properties;
}
