import {
  GetDataLakeSettingsCommand,
  type PrincipalPermissions,
} from '@aws-sdk/client-lakeformation';
import type { Check } from '../check.ts';
import { failed, ok, unchecked } from '../verdict.ts';

/** Lake Formation's name for "every principal that IAM lets". */
const EVERYBODY_OF_IAM = 'IAM_ALLOWED_PRINCIPALS';

/** Whether Lake Formation leaves new databases and tables to IAM, which is all that the stacks' roles have. */
export const lakeFormation: Check = {
  name: 'Lake Formation',
  permissions: ['lakeformation:GetDataLakeSettings'],
  async run({ clients, region }) {
    const { DataLakeSettings: settings } = await clients.lakeFormation.send(
      new GetDataLakeSettingsCommand({}),
    );
    if (settings === undefined) return unchecked('Lake Formation answered without its settings.');
    const kinds = [
      ...(leavesToIam(settings.CreateDatabaseDefaultPermissions) ? [] : ['databases']),
      ...(leavesToIam(settings.CreateTableDefaultPermissions) ? [] : ['tables']),
    ];
    if (kinds.length === 0) return ok('It leaves new databases and tables to IAM.');
    return failed(
      `It does not leave new ${kinds.join(' and ')} to IAM: Firehose could not read the table, and queries would fail.`,
      `In its console, under "Data Catalog settings" of ${region}, choose "Use only IAM access control" for new databases and for new tables.`,
      'Where your organisation does not allow that, give the roles of the stacks their permissions in Lake Formation.',
    );
  },
};

function leavesToIam(permissions: readonly PrincipalPermissions[] | undefined): boolean {
  return (permissions ?? []).some(
    ({ Principal, Permissions }) =>
      Principal?.DataLakePrincipalIdentifier === EVERYBODY_OF_IAM && Permissions?.includes('ALL'),
  );
}
