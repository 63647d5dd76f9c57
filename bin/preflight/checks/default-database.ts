import { CreateDatabaseCommand, GetDatabaseCommand } from '@aws-sdk/client-glue';
import type { Check } from '../check.ts';
import { failed, isServiceError, ok, unanswered } from '../verdict.ts';

const NAME = 'default';

/** Athena looks `default` up whatever database a query names, and would make it; no role of the stacks may. */
export const defaultDatabase: Check = {
  name: 'Glue database "default"',
  permissions: ['glue:GetDatabase'],
  async run({ clients: { glue }, region, fix }) {
    try {
      await glue.send(new GetDatabaseCommand({ Name: NAME }));
      return ok('It exists.');
    } catch (error) {
      if (!isServiceError(error, 'EntityNotFoundException')) throw error;
    }
    const command = `aws glue create-database --database-input Name=${NAME} --region ${region}`;
    if (!fix) {
      const says =
        'It does not exist, and every query of the API would fail. --fix creates it, as does:';
      return failed(says, command);
    }
    try {
      await glue.send(new CreateDatabaseCommand({ DatabaseInput: { Name: NAME } }));
    } catch (error) {
      // Athena's console makes it too, when a person opens it.
      if (!isServiceError(error, 'AlreadyExistsException')) {
        const { says } = unanswered(error, ['glue:CreateDatabase']);
        return failed(`It does not exist, and could not be created. ${says}`, command);
      }
    }
    return ok('It was created.');
  },
};
