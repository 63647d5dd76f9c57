import { GetParametersCommand } from '@aws-sdk/client-ssm';
import type { Check } from '../check.ts';
import { ok, unchecked, warning } from '../verdict.ts';

/** Services that the stacks use, as AWS's list of each Region names them. */
const SERVICES = [
  'apigateway',
  'athena',
  'cloudformation',
  'cloudwatch',
  'dynamodb',
  'firehose',
  'glue',
  'lambda',
  'logs',
  's3',
  'scheduler',
  'secretsmanager',
  'sns',
  'sqs',
] as const;

/** Systems Manager takes ten names a call. */
const NAMES_PER_CALL = 10;

/** Whether AWS lists every service that is needed in this Region. */
export const services: Check = {
  name: 'Services',
  permissions: ['ssm:GetParameters'],
  async run({ clients, region }) {
    const path = `/aws/service/global-infrastructure/regions/${region}/services/`;
    const missing: string[] = [];
    for (let start = 0; start < SERVICES.length; start += NAMES_PER_CALL) {
      const Names = SERVICES.slice(start, start + NAMES_PER_CALL).map((one) => path + one);
      const { InvalidParameters = [] } = await clients.ssm.send(
        new GetParametersCommand({ Names }),
      );
      missing.push(...InvalidParameters.map((name) => name.slice(path.length)));
    }
    if (missing.length === SERVICES.length) {
      return unchecked(`AWS publishes no list of services for ${region}.`);
    }
    if (missing.length > 0) {
      return warning(
        `AWS's list of services in ${region} does not have ${missing.join(', ')}.`,
        'The list can be late: look the service up for this Region, or choose another Region.',
      );
    }
    return ok(`AWS lists all ${SERVICES.length} that are used in ${region}.`);
  },
};
