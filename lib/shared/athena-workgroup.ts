import { Duration, Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct, IConstruct } from 'constructs';
import { ATHENA_USD_PER_TB } from '../../src/cost/athena-price.ts';
import { acknowledgeObjects } from './nag-suppressions.ts';
import { allow, listing } from './permissions.ts';

export interface AthenaWorkgroupProps {
  readonly name: string;
  readonly description: string;
  /** Bucket and prefix of the results. */
  readonly results: IBucket;
  readonly prefix: string;
  /** Bytes that one statement may scan. @default no limit */
  readonly scanLimitBytes?: number;
  /** Whether deleting the stack takes the workgroup's history and saved queries along. */
  readonly deleteHistory: boolean;
}

/** An Athena workgroup whose callers can choose neither engine nor limit nor place of results. */
export class AthenaWorkgroup extends CfnWorkGroup {
  readonly results: IBucket;
  readonly prefix: string;

  constructor(scope: Construct, id: string, props: AthenaWorkgroupProps) {
    const { name, description, results, prefix, scanLimitBytes, deleteHistory } = props;
    super(scope, id, {
      name,
      description,
      recursiveDeleteOption: deleteHistory,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        ...(scanLimitBytes === undefined ? {} : { bytesScannedCutoffPerQuery: scanLimitBytes }),
        // Pinned: the SQL compiler prints what this engine, a Trino, understands.
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: {
          outputLocation: results.s3UrlForObject(prefix),
          encryptionConfiguration: { encryptionOption: 'SSE_S3' },
          expectedBucketOwner: Stack.of(scope).account,
        },
      },
    });
    this.results = results;
    this.prefix = prefix;
  }

  get arn(): string {
    return this.stack.formatArn({
      service: 'athena',
      resource: 'workgroup',
      resourceName: this.name,
    });
  }

  /** Queries that ended in a state; Athena counts them only through their durations. */
  queries(state: 'SUCCEEDED' | 'FAILED' | 'CANCELED'): Metric {
    return this.#metric('TotalExecutionTime', state, 'SampleCount').with({
      label: state.toLowerCase(),
    });
  }

  /** Milliseconds from submission to the end of a successful query. */
  duration(statistic: string): Metric {
    return this.#metric('TotalExecutionTime', 'SUCCEEDED', statistic);
  }

  /** Bytes read by successful queries. */
  bytesScanned(): Metric {
    return this.#metric('ProcessedBytes', 'SUCCEEDED', 'Sum');
  }

  /**
   * US dollars that queries scan in an hour. By Athena's own count rather than the service's: it has
   * queries that were stopped, and that the service lost sight of. Failed ones cost nothing.
   */
  scanCost(): IMetric {
    const usingMetrics = {
      succeeded: this.bytesScanned(),
      canceled: this.#metric('ProcessedBytes', 'CANCELED', 'Sum'),
    };
    return new MathExpression({
      expression: `(FILL(succeeded, 0) + FILL(canceled, 0)) * ${ATHENA_USD_PER_TB} / 1000000000000`,
      usingMetrics,
      period: Duration.hours(1),
      label: 'US dollars per hour',
    });
  }

  #metric(metricName: string, state: string, statistic: string): Metric {
    return new Metric({
      namespace: 'AWS/Athena',
      metricName,
      dimensionsMap: { WorkGroup: this.name, QueryState: state, QueryType: 'DML' },
      statistic,
    });
  }
}

/** Running statements in a workgroup and reading their results, whatever they are about. */
export function runStatements(workgroup: AthenaWorkgroup): PolicyStatement[] {
  return [
    allow(
      [
        'athena:GetQueryExecution',
        'athena:GetQueryResults',
        'athena:StartQueryExecution',
        'athena:StopQueryExecution',
      ],
      workgroup.arn,
    ),
    ...useDefaults(workgroup),
  ];
}

/**
 * What Athena does in the name of each caller of a workgroup besides reading tables: it looks up the
 * database `default`, whatever database a query names (Athena user guide, "Configure access to databases
 * and tables in the Glue Data Catalog"), and writes the result, a large one in parts (AWS managed policy
 * AmazonAthenaFullAccess).
 */
export function useDefaults({ stack, results, prefix }: AthenaWorkgroup): PolicyStatement[] {
  const database = { service: 'glue', resource: 'database', resourceName: 'default' };
  return [
    allow(['glue:GetDatabase'], stack.formatArn(database)),
    allow(['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'], results.bucketArn),
    listing(results, prefix),
    allow(
      ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
      results.arnForObjects(`${prefix}*`),
    ),
  ];
}

/** Accepts that a policy names all results of a workgroup. */
export function acknowledgeResults(construct: IConstruct, workgroup: AthenaWorkgroup): void {
  const { results, prefix } = workgroup;
  acknowledgeObjects(construct, results, prefix, 'Athena names its result files.');
}
