import { Authenticator } from '../src/access/authenticator.ts';
import { createManagementApp } from '../src/http/apps/management-app.ts';
import { DynamoRejections } from '../src/ingest/rejections/dynamo-rejections.ts';
import { alertDependencies } from './shared/alert-dependencies.ts';
import { readEnvironment } from './shared/environment.ts';
import { httpHandler } from './shared/http-handler.ts';
import { queryDependencies } from './shared/query-dependencies.ts';

const environment = readEnvironment('management');
const parts = queryDependencies(environment);
const { client, clock } = parts;

export const handler = httpHandler(
  createManagementApp({
    ...parts,
    authenticator: new Authenticator(parts),
    // Compiles a query that is to be saved; nothing here runs one, and the role could not.
    checkQuery: parts.runner.checkQuery,
    alerts: alertDependencies(environment, parts),
    rejections: new DynamoRejections({ client, table: environment.CACHE_TABLE, clock }),
  }),
);
