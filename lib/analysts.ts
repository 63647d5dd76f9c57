import { Stack } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeArn, acknowledgeObjects } from './acknowledge.ts';
import type { Lake } from './lake.ts';
import { COMPACTED_PREFIX, FAILED_PREFIX, LANDING_PREFIX } from './lake-layout.ts';
import { allow, listing } from './permissions.ts';
import { ANALYST_RESULTS_PREFIX } from './query-results.ts';
import { acknowledgeTables, tablesOf } from './view-permissions.ts';

export interface AnalystsPolicyProps {
  /** Start of the policy's name in AWS. */
  readonly name: string;
  readonly workgroup: CfnWorkGroup;
  readonly lake: Lake;
  readonly results: IBucket;
}

/** Prefixes of the lake that analysts read: the tables beneath the views, and what no table could take. */
const READABLE_PREFIXES = [LANDING_PREFIX, COMPACTED_PREFIX, FAILED_PREFIX];

/**
 * All that a person needs to query the lake, and no more: a managed policy that nobody has until an
 * operator attaches it. Athena reads the catalog and the files in the caller's name, also those beneath
 * a view, so whoever may use one view may read all events.
 */
export class AnalystsPolicy extends Construct {
  readonly policy: ManagedPolicy;

  constructor(scope: Construct, id: string, props: AnalystsPolicyProps) {
    super(scope, id);
    const { lake, results } = props;
    this.policy = new ManagedPolicy(this, 'Policy', {
      // IAM's names hold for the account, and the same environment may be in several Regions.
      managedPolicyName: `${props.name}-${Stack.of(this).region}`,
      description: 'Queries on the lake of Sluice in the workgroup for analysts',
      statements: [...useWorkgroup(props.workgroup), ...readCatalog(lake), ...readFiles(props)],
    });
    for (const prefix of READABLE_PREFIXES) {
      acknowledgeObjects(this, lake.bucket, prefix, 'Queries choose the files they read.');
    }
    acknowledgeObjects(this, results, ANALYST_RESULTS_PREFIX, 'Athena names its result files.');
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

function useWorkgroup(workgroup: CfnWorkGroup): PolicyStatement[] {
  const stack = Stack.of(workgroup);
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
      stack.formatArn({ service: 'athena', resource: 'workgroup', resourceName: workgroup.name }),
    ),
    allow(
      [
        'athena:GetDataCatalog',
        'athena:GetDatabase',
        'athena:GetTableMetadata',
        'athena:ListDatabases',
        'athena:ListTableMetadata',
      ],
      stack.formatArn({
        service: 'athena',
        resource: 'datacatalog',
        resourceName: 'AwsDataCatalog',
      }),
    ),
    new PolicyStatement({
      actions: ['athena:ListDataCatalogs', 'athena:ListEngineVersions', 'athena:ListWorkGroups'],
      resources: ['*'],
    }),
  ];
}

function readCatalog(lake: Lake): PolicyStatement[] {
  const { database } = lake;
  const databaseArn = (resourceName: string): string =>
    Stack.of(database).formatArn({ service: 'glue', resource: 'database', resourceName });
  return [
    allow(
      ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable', 'glue:GetTables'],
      database.catalog.catalogArn,
      database.databaseArn,
      tablesOf(lake),
    ),
    // Refused as a whole where one database is left out (Athena user guide, "Configure access to databases
    // and tables in the Glue Data Catalog").
    allow(['glue:GetDatabases'], database.catalog.catalogArn, databaseArn('*')),
    allow(['glue:GetDatabase'], databaseArn('default')),
  ];
}

function readFiles({ lake, results }: AnalystsPolicyProps): PolicyStatement[] {
  const { bucket } = lake;
  return [
    allow(['s3:GetBucketLocation'], bucket.bucketArn, results.bucketArn),
    allow(['s3:ListBucketMultipartUploads'], results.bucketArn),
    ...READABLE_PREFIXES.flatMap((prefix) => [
      listing(bucket, prefix),
      allow(['s3:GetObject'], bucket.arnForObjects(`${prefix}*`)),
    ]),
    listing(results, ANALYST_RESULTS_PREFIX),
    allow(
      ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
      results.arnForObjects(`${ANALYST_RESULTS_PREFIX}*`),
    ),
  ];
}
