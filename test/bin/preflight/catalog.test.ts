import { expect, test } from 'vitest';
import { defaultDatabase } from '../../../bin/preflight/checks/default-database.ts';
import { lakeFormation } from '../../../bin/preflight/checks/lake-formation.ts';
import { cases, verdictOf } from './cases.ts';
import { type Answers, type Call, denied, Refusal } from './stand-in.ts';

const operations = (calls: readonly Call[]) => calls.map(({ operation }) => operation);

const noDefault: Answers = { GetDatabase: new Refusal('EntityNotFoundException') };

cases(defaultDatabase, [
  ['exists', {}, {}, 'ok', /exists/],
  ['is missing', noDefault, {}, 'failed', /aws glue create-database --database-input Name=default/],
  ['is created', { ...noDefault, CreateDatabase: {} }, { fix: true }, 'ok', /was created/],
  [
    'was made meanwhile',
    { ...noDefault, CreateDatabase: new Refusal('AlreadyExistsException') },
    { fix: true },
    'ok',
    /was created/,
  ],
  [
    'may not be created',
    { ...noDefault, CreateDatabase: denied('glue:CreateDatabase') },
    { fix: true },
    'failed',
    /could not be created\. The permission glue:CreateDatabase is missing\.\naws glue create/,
  ],
]);

test('the database is created with --fix only', async () => {
  const without = await verdictOf(defaultDatabase, { ...noDefault, CreateDatabase: {} });
  const withFix = await verdictOf(
    defaultDatabase,
    { ...noDefault, CreateDatabase: {} },
    { fix: true },
  );

  expect(operations(without.calls)).not.toContain('CreateDatabase');
  expect(withFix.calls.at(-1)).toEqual({
    operation: 'CreateDatabase',
    input: { DatabaseInput: { Name: 'default' } },
  });
});

const iam = {
  Principal: { DataLakePrincipalIdentifier: 'IAM_ALLOWED_PRINCIPALS' },
  Permissions: ['ALL'],
};
const lakeSettings = (databases: readonly object[], tables: readonly object[]): Answers => ({
  GetDataLakeSettings: {
    DataLakeSettings: {
      CreateDatabaseDefaultPermissions: databases,
      CreateTableDefaultPermissions: tables,
    },
  },
});

cases(lakeFormation, [
  ['leaves all to IAM', {}, {}, 'ok', /to IAM/],
  ['leaves no database to IAM', lakeSettings([], [iam]), {}, 'failed', /new databases to IAM/],
  ['leaves no table to IAM', lakeSettings([iam], []), {}, 'failed', /new tables to IAM/],
  [
    'leaves a part of what is done to IAM',
    lakeSettings([{ ...iam, Permissions: ['DESCRIBE'] }], [iam]),
    {},
    'failed',
    /databases to IAM/,
  ],
  [
    'leaves all to somebody else',
    lakeSettings([{ ...iam, Principal: { DataLakePrincipalIdentifier: 'arn:x' } }], []),
    {},
    'failed',
    /databases and tables to IAM/,
  ],
  ['says nothing', { GetDataLakeSettings: {} }, {}, 'unchecked', /without its settings/],
]);
