import { Construct } from 'constructs';
import { AthenaWorkgroup } from '../shared/athena-workgroup.ts';
import { ALARM_PERIOD, type AlarmDefinition } from '../shared/runbook-alarms.ts';
import type { ServiceProps } from '../shared/service-props.ts';
import {
  ANALYST_RESULTS_PREFIX,
  API_RESULTS_PREFIX,
  CATALOG_RESULTS_PREFIX,
} from './query-results.ts';

/** Athena refuses a lower limit, and statements about the catalog scan nothing. */
const LEAST_SCAN_LIMIT_BYTES = 10_000_000;

/**
 * The Athena workgroups: one for the API, one for people, one for the upkeep of the views, so that
 * limits, metrics and IAM differ.
 */
export class QueryWorkgroups extends Construct {
  readonly api: AthenaWorkgroup;
  readonly analysts: AthenaWorkgroup;
  readonly catalog: AthenaWorkgroup;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, { name, config, storage }: ServiceProps) {
    super(scope, id);
    const results = storage.results.bucket;
    this.api = new AthenaWorkgroup(this, 'Api', {
      name: `${name}-api`,
      description: 'Saved queries of the Sluice API',
      results,
      prefix: API_RESULTS_PREFIX,
      scanLimitBytes: gibibytes(config.scanLimitGiB.api),
      // Its history is of no use to anyone, and would keep the stack from being deleted.
      deleteHistory: true,
    });
    this.analysts = new AthenaWorkgroup(this, 'Analysts', {
      name: `${name}-analysts`,
      description: 'People who read the lake directly',
      results,
      prefix: ANALYST_RESULTS_PREFIX,
      scanLimitBytes: gibibytes(config.scanLimitGiB.analysts),
      // People's saved queries live here: deleting the stack stops rather than take them along.
      deleteHistory: false,
    });
    this.catalog = new AthenaWorkgroup(this, 'Catalog', {
      name: `${name}-catalog`,
      description: 'Statements that make and drop the views of the lake',
      results,
      prefix: CATALOG_RESULTS_PREFIX,
      scanLimitBytes: LEAST_SCAN_LIMIT_BYTES,
      deleteHistory: true,
    });
    // The workgroup of the views reads no events.
    this.alarms = [
      {
        id: 'queries-failed',
        severity: 'ticket',
        says: 'Athena queries of the API fail.',
        metric: this.api.queries('FAILED').with({ period: ALARM_PERIOD }),
        threshold: 5,
      },
      {
        id: 'scan-cost',
        // Money is spent until a person stops it.
        severity: 'page',
        says: 'Saved queries scan more than an hour of them is meant to cost.',
        metric: this.api.scanCost(),
        threshold: config.scanCostAlarmUsdPerHour,
      },
      {
        id: 'analysts-scan-cost',
        // The person who asks sees what they spend.
        severity: 'ticket',
        says: 'Queries of analysts scan more than an hour of saved queries is meant to cost.',
        metric: this.analysts.scanCost(),
        threshold: config.scanCostAlarmUsdPerHour,
      },
    ];
  }
}

function gibibytes(count: number): number {
  return Math.round(count * 1024 ** 3);
}
