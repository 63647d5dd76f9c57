import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { only, synthesise, text } from '../stacks.ts';
import { listed, onTables } from '../statements.ts';

let service: Template;
beforeAll(() => {
  ({ service } = synthesise());
});

describe("the analysts' policy", () => {
  const policy = () => only(service, 'AWS::IAM::ManagedPolicy').Properties;

  test('is attached to nobody', () => {
    expect(text(policy().ManagedPolicyName)).toBe('sluice-prod-analysts-AWS::Region');
    for (const holders of ['Roles', 'Users', 'Groups']) {
      expect(policy()).not.toHaveProperty(holders);
    }
  });

  test('reads the lake in its own workgroup and changes nothing in the lake', () => {
    const inWorkgroup = [
      'BatchGetNamedQuery',
      'BatchGetQueryExecution',
      'CreateNamedQuery',
      'DeleteNamedQuery',
      'GetNamedQuery',
      'GetQueryExecution',
      'GetQueryResults',
      'GetQueryResultsStream',
      'GetQueryRuntimeStatistics',
      'GetWorkGroup',
      'ListNamedQueries',
      'ListQueryExecutions',
      'StartQueryExecution',
      'StopQueryExecution',
      'UpdateNamedQuery',
    ].map((action) => `athena:${action} on workgroup/sluice-prod-analysts`);
    const inCatalog = [
      'GetDataCatalog',
      'GetDatabase',
      'GetTableMetadata',
      'ListDatabases',
      'ListTableMetadata',
    ].map((action) => `athena:${action} on datacatalog/AwsDataCatalog`);
    expect(listed(policy().PolicyDocument.Statement, 'Allow')).toEqual(
      [
        ...inWorkgroup,
        ...inCatalog,
        ...['ListDataCatalogs', 'ListEngineVersions', 'ListWorkGroups'].map(
          (action) => `athena:${action} on *`,
        ),
        ...onTables(['GetDatabase', 'GetPartitions', 'GetTable', 'GetTables']),
        'glue:GetDatabases on catalog',
        'glue:GetDatabases on database/*',
        'glue:GetDatabase on database/default',
        's3:AbortMultipartUpload on QueryResultsBucket/analysts/*',
        's3:GetBucketLocation on LakeEventsBucket',
        's3:GetBucketLocation on QueryResultsBucket',
        's3:ListBucketMultipartUploads on QueryResultsBucket',
        's3:GetObject on LakeEventsBucket/compacted/*',
        's3:GetObject on LakeEventsBucket/failed/*',
        's3:GetObject on LakeEventsBucket/log_events/*',
        's3:GetObject on QueryResultsBucket/analysts/*',
        's3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"compacted/*"}}',
        's3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"failed/*"}}',
        's3:ListBucket on LakeEventsBucket if {"StringLike":{"s3:prefix":"log_events/*"}}',
        's3:ListBucket on QueryResultsBucket if {"StringLike":{"s3:prefix":"analysts/*"}}',
        's3:ListMultipartUploadParts on QueryResultsBucket/analysts/*',
        's3:PutObject on QueryResultsBucket/analysts/*',
      ].sort(),
    );
  });
});
