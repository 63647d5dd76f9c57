import { Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  ANALYST_RESULTS_PREFIX,
  API_RESULTS_PREFIX,
  CATALOG_RESULTS_PREFIX,
} from './query-results.ts';

export interface QueryWorkgroupsProps {
  /** Start of both workgroups' names. */
  readonly name: string;
  readonly results: IBucket;
  /** Bytes that one query of the API may scan. */
  readonly apiScanLimitBytes: number;
  /** Bytes that one query of an analyst may scan. */
  readonly analystScanLimitBytes: number;
}

/** Athena refuses a lower limit, and statements about the catalog scan nothing. */
const LEAST_SCAN_LIMIT_BYTES = 10_000_000;

/**
 * The Athena workgroups: one for the API, one for people, one for the upkeep of the views, so that
 * limits, metrics and IAM differ.
 */
export class QueryWorkgroups extends Construct {
  readonly api: CfnWorkGroup;
  readonly analysts: CfnWorkGroup;
  readonly catalog: CfnWorkGroup;

  constructor(scope: Construct, id: string, props: QueryWorkgroupsProps) {
    super(scope, id);
    this.api = this.#workgroup('Api', {
      name: `${props.name}-api`,
      description: 'Saved queries of the Sluice API',
      location: props.results.s3UrlForObject(API_RESULTS_PREFIX),
      scanLimitBytes: props.apiScanLimitBytes,
      // Its history is of no use to anyone, and would keep the stack from being deleted.
      deleteHistory: true,
    });
    this.analysts = this.#workgroup('Analysts', {
      name: `${props.name}-analysts`,
      description: 'People who read the lake directly',
      location: props.results.s3UrlForObject(ANALYST_RESULTS_PREFIX),
      scanLimitBytes: props.analystScanLimitBytes,
      // People's saved queries live here: deleting the stack stops rather than take them along.
      deleteHistory: false,
    });
    this.catalog = this.#workgroup('Catalog', {
      name: `${props.name}-catalog`,
      description: 'Statements that make and drop the views of the lake',
      location: props.results.s3UrlForObject(CATALOG_RESULTS_PREFIX),
      scanLimitBytes: LEAST_SCAN_LIMIT_BYTES,
      deleteHistory: true,
    });
  }

  #workgroup(id: string, props: WorkgroupProps): CfnWorkGroup {
    return new CfnWorkGroup(this, id, {
      name: props.name,
      description: props.description,
      recursiveDeleteOption: props.deleteHistory,
      workGroupConfiguration: {
        // Callers cannot choose another location, encryption or limit.
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        bytesScannedCutoffPerQuery: props.scanLimitBytes,
        // Pinned: the SQL compiler prints what this engine, a Trino, understands.
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: {
          outputLocation: props.location,
          encryptionConfiguration: { encryptionOption: 'SSE_S3' },
          expectedBucketOwner: Stack.of(this).account,
        },
      },
    });
  }
}

interface WorkgroupProps {
  readonly name: string;
  readonly description: string;
  readonly location: string;
  readonly scanLimitBytes: number;
  readonly deleteHistory: boolean;
}
