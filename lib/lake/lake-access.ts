/** The lake's tables in policies. */
import { Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { acknowledgeArn } from '../shared/nag-suppressions.ts';
import { allow } from '../shared/permissions.ts';
import type { Lake } from './lake.ts';

/** Reading the definitions of both tables with events. Athena does so in the caller's name. */
export function readTables(lake: Lake, caller: IConstruct): PolicyStatement {
  return allow(
    ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable'],
    lake.database.catalog.catalogArn,
    lake.database.databaseArn,
    lake.table.tableArn,
    lake.compactedTableArn(Stack.of(caller)),
  );
}

/** All tables and views of the lake's database. */
export function tablesOf({ database }: Lake): string {
  return Stack.of(database).formatArn({
    service: 'glue',
    resource: 'table',
    resourceName: `${database.databaseName}/*`,
  });
}

/** Accepts that a policy of another stack names all tables and views of the lake's database. */
export function acknowledgeTables(construct: IConstruct, lake: Lake, reason: string): void {
  const { 'Fn::ImportValue': database } = Stack.of(construct).resolve(
    Stack.of(lake.database).exportValue(lake.database.databaseName),
  );
  // cdk-nag names the finding by what the template says: the export of the database's name.
  const tables = { service: 'glue', resource: 'table', resourceName: `${database}/*` };
  acknowledgeArn(construct, tables, reason);
}
