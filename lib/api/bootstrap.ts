import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { BUILT_IN_ENDPOINTS, BUILT_IN_SOURCES } from '../../src/bootstrap/built-in-endpoints.ts';
import { type QueryProps, queryEnvironment } from '../query/query-access.ts';
import { allow, changeItems } from '../shared/permissions.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import { BootstrapResource } from './bootstrap-resource.ts';

/** Creates what is shipped and the first admin key, in each deployment that ships something new. */
export class Bootstrap extends ServiceFunction<'bootstrap'> {
  readonly alarms = [this.failureAlarm('ticket')];

  constructor(scope: Construct, id: string, props: QueryProps) {
    const { tables, adminKey } = props.storage;
    super(scope, id, props, {
      entry: 'bootstrap',
      description: 'Creates the shipped sources and endpoints and the first admin key',
      environment: { ...queryEnvironment(props), ADMIN_KEY_SECRET: adminKey.secret.secretArn },
      permissions: [
        changeItems(tables.registry),
        // Secrets Manager's own key encrypts the secret, for all who may read it.
        allow(['secretsmanager:GetSecretValue'], adminKey.secret.secretArn),
      ],
      // SQL of the shipped endpoints.
      folder: 'src/bootstrap/built-in',
      // Three attempts, with waits of 20 s between them.
      timeout: Duration.minutes(2),
    });
    new BootstrapResource(this, 'FirstRun', {
      bootstrap: this.function,
      secret: adminKey.secret,
      shipped: [BUILT_IN_SOURCES, BUILT_IN_ENDPOINTS],
    });
  }
}
