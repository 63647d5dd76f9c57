import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { StorageBucket } from '../shared/storage-bucket.ts';

export interface QueryResultsProps {
  /** Bucket for access logs. */
  readonly accessLogs: IBucket;
}

/** Prefix of the results of the API's queries. */
export const API_RESULTS_PREFIX = 'api/';

/** Prefix of what the statements of compaction answer. */
export const COMPACTION_RESULTS_PREFIX = 'compaction/';

/** Prefix of the results of analysts' queries. */
export const ANALYST_RESULTS_PREFIX = 'analysts/';

/** Prefix of what statements about the catalog answer, such as making a view: nothing anyone reads. */
export const CATALOG_RESULTS_PREFIX = 'catalog/';

/**
 * Where Athena writes query results. Every one of them can be had again by running its query, so the
 * bucket may be destroyed; CloudFormation asks for it to be empty first.
 */
export class QueryResults extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, props: QueryResultsProps) {
    super(scope, id);
    this.bucket = new StorageBucket(this, 'Results', {
      accessLogs: props.accessLogs,
      removalPolicy: RemovalPolicy.DESTROY,
      lifecycleRules: [
        // The service reads a result once, within minutes, and keeps it in its own cache.
        { id: 'api', prefix: API_RESULTS_PREFIX, expiration: Duration.days(1) },
        { id: 'catalog', prefix: CATALOG_RESULTS_PREFIX, expiration: Duration.days(1) },
        { id: 'compaction', prefix: COMPACTION_RESULTS_PREFIX, expiration: Duration.days(1) },
        { id: 'analysts', prefix: ANALYST_RESULTS_PREFIX, expiration: Duration.days(30) },
      ],
    }).bucket;
  }
}
