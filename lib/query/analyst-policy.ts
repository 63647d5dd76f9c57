import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Lake } from '../lake/lake.ts';
import { acknowledgeTables, tablesOf } from '../lake/lake-access.ts';
import { COMPACTED_PREFIX, FAILED_PREFIX, LANDING_PREFIX } from '../lake/lake-layout.ts';
import {
  type AthenaWorkgroup,
  acknowledgeResults,
  useDefaults,
} from '../shared/athena-workgroup.ts';
import { acknowledge, acknowledgeArn, acknowledgeObjects } from '../shared/nag-suppressions.ts';
import { allow, readObjects } from '../shared/permissions.ts';

export interface AnalystPolicyProps {
  /** Start of the policy's name in AWS. */
  readonly name: string;
  readonly workgroup: AthenaWorkgroup;
  readonly lake: Lake;
}

/** Prefixes of the lake that analysts read: the tables beneath the views, and what no table could take. */
const READABLE_PREFIXES = [LANDING_PREFIX, COMPACTED_PREFIX, FAILED_PREFIX];

/**
 * All that a person needs to query the lake, and no more: a managed policy that nobody has until an
 * operator attaches it. Athena reads the catalog and the files in the caller's name, also those beneath
 * a view, so whoever may use one view may read all events.
 */
export class AnalystPolicy extends Construct {
  readonly policy: ManagedPolicy;

  constructor(scope: Construct, id: string, props: AnalystPolicyProps) {
    super(scope, id);
    const { lake, workgroup } = props;
    this.policy = new ManagedPolicy(this, 'Policy', {
      // IAM's names hold for the account, and the same environment may be in several Regions.
      managedPolicyName: `${props.name}-${Stack.of(this).region}`,
      description: 'Queries on the lake of Sluice in the workgroup for analysts',
      statements: [
        ...useWorkgroup(workgroup),
        ...readCatalog(lake),
        allow(['s3:GetBucketLocation'], lake.bucket.bucketArn),
        ...READABLE_PREFIXES.flatMap((prefix) => readObjects(lake.bucket, prefix)),
      ],
    });
    for (const prefix of READABLE_PREFIXES) {
      acknowledgeObjects(this, lake.bucket, prefix, 'Queries choose the files they read.');
    }
    acknowledgeResults(this, workgroup);
    acknowledgeTables(this, lake, 'Views come and go with the sources, and have their names.');
    acknowledgeArn(
      this,
      { service: 'glue', resource: 'database', resourceName: '*' },
      'Listing databases asks for the permission on all of them; their tables stay closed.',
    );
    acknowledge(
      this,
      'AwsSolutions-IAM5[Resource::*]',
      "What Athena's console lists to choose from; IAM knows no resource for these actions.",
    );
  }
}

function useWorkgroup(workgroup: AthenaWorkgroup): PolicyStatement[] {
  return [
    allow(
      [
        'athena:BatchGetNamedQuery',
        'athena:BatchGetQueryExecution',
        'athena:CreateNamedQuery',
        'athena:DeleteNamedQuery',
        'athena:GetNamedQuery',
        'athena:GetQueryExecution',
        'athena:GetQueryResults',
        'athena:GetQueryResultsStream',
        'athena:GetQueryRuntimeStatistics',
        'athena:GetWorkGroup',
        'athena:ListNamedQueries',
        'athena:ListQueryExecutions',
        'athena:StartQueryExecution',
        'athena:StopQueryExecution',
        'athena:UpdateNamedQuery',
      ],
      workgroup.arn,
    ),
    allow(
      [
        'athena:GetDataCatalog',
        'athena:GetDatabase',
        'athena:GetTableMetadata',
        'athena:ListDatabases',
        'athena:ListTableMetadata',
      ],
      workgroup.stack.formatArn({
        service: 'athena',
        resource: 'datacatalog',
        resourceName: 'AwsDataCatalog',
      }),
    ),
    new PolicyStatement({
      actions: ['athena:ListDataCatalogs', 'athena:ListEngineVersions', 'athena:ListWorkGroups'],
      resources: ['*'],
    }),
    ...useDefaults(workgroup),
  ];
}

function readCatalog(lake: Lake): PolicyStatement[] {
  const { database } = lake;
  const databases = { service: 'glue', resource: 'database', resourceName: '*' };
  return [
    allow(
      ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable', 'glue:GetTables'],
      database.catalog.catalogArn,
      database.databaseArn,
      tablesOf(lake),
    ),
    // Refused as a whole where one database is left out (Athena user guide, "Configure access to databases
    // and tables in the Glue Data Catalog").
    allow(
      ['glue:GetDatabases'],
      database.catalog.catalogArn,
      Stack.of(database).formatArn(databases),
    ),
  ];
}
