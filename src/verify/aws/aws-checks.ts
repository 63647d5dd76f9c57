/** What is checked of the AWS side, one row each. */
import { DAY_MS, dayOf } from '../../lake/compaction/hours.ts';
import type { Check } from '../trial/check.ts';
import type { AwsSide } from './aws-side.ts';

/** Compaction has optimized it already, so that there is little left to rewrite. */
const OPTIMIZED_DAYS_AGO = 3;

const NOT_YET = 'there is no compacted table yet; a new deployment makes it within three hours';

const stacks: Check<AwsSide> = {
  name: 'aws-stacks',
  says: 'the three stacks are complete, and the address is that of the service stack or its domain',
  needs: [],
  remedy: 'See docs/deploy.md#when-the-first-deployment-fails.',

  async run(aws, findings) {
    for (const { name, status, url } of await aws.stacks()) {
      if (!/^(CREATE|UPDATE)_COMPLETE$/.test(status ?? '')) {
        findings.fail(name, 'CREATE_COMPLETE or UPDATE_COMPLETE', status ?? 'no such stack');
      }
      if (url !== undefined && url.replace(/\/+$/, '') !== aws.url) {
        findings.note(`the output Url of ${name} is ${url}: right if ${aws.url} is its domain`);
      }
    }
  },
};

const failed: Check<AwsSide> = {
  name: 'aws-failed',
  says: 'nothing lies under failed/ in the lake bucket',
  needs: [],
  remedy: 'See docs/runbook.md#conversion-failed and docs/runbook.md#re-driving-failed-records.',

  async run(aws, findings) {
    const keys = await aws.failedObjects();
    if (keys.length > 0) findings.fail('objects', 'none', keys);
  },
};

const alarms: Check<AwsSide> = {
  name: 'aws-alarms',
  says: 'no alarm rings, and the metrics of the functions have data',
  needs: [],
  remedy: 'docs/runbook.md has a section for each alarm, by its name.',

  async run(aws, findings) {
    const all = await aws.alarms();
    if (all.length === 0) findings.fail('alarms', 'some', 'none');
    for (const { name, state } of all) {
      if (state === 'ALARM') findings.fail(name, 'OK', state);
    }
    const silent = all.filter(({ state }) => state === 'INSUFFICIENT_DATA');
    if (silent.length > 0)
      findings.note(`no data yet: ${silent.map(({ name }) => name).join(', ')}`);
    const metrics = await aws.ownMetrics();
    if (metrics.length === 0)
      return findings.notYet(
        'no metric of the functions is there yet; CloudWatch lists one some 15 minutes after its first value',
      );
    findings.note(`${metrics.length} metrics of the functions have data`);
  },
};

const tokens: Check<AwsSide> = {
  name: 'aws-tokens',
  says: 'a statement that is started again under its token is the same execution',
  needs: [],
  remedy:
    'Compaction relies on it: disable its schedule (docs/runbook.md#compaction-failed), and report it.',

  async run(aws, findings) {
    const [first, second] = await aws.startTwice();
    findings.fits('id of the second execution', first, second);
  },
};

const table: Check<AwsSide> = {
  name: 'aws-compacted-table',
  says: 'the compacted table is an Iceberg table that keeps superseded files for five days',
  needs: [],
  remedy: 'See docs/runbook.md#compaction-failed.',

  async run(aws, findings) {
    const properties = await aws.tableProperties();
    if (properties === undefined) return findings.notYet(NOT_YET);
    const expected = {
      vacuum_max_snapshot_age_seconds: '432000',
      vacuum_min_snapshots_to_keep: '1',
    };
    findings.fits('properties', expected, Object.fromEntries(properties));
  },
};

const optimize: Check<AwsSide> = {
  name: 'aws-optimize',
  says: 'OPTIMIZE of a day works, as compaction says it',
  needs: ['aws-compacted-table'],
  remedy:
    'The statement and why it failed are in the history of the workgroup for compaction (docs/runbook.md#compaction-failed).',

  async run(aws) {
    await aws.optimize(dayOf(Date.now() - OPTIMIZED_DAYS_AGO * DAY_MS));
  },
};

const vacuum: Check<AwsSide> = {
  name: 'aws-vacuum',
  says: 'VACUUM works, as compaction says it',
  needs: ['aws-compacted-table'],
  after: ['aws-optimize'],
  remedy: optimize.remedy,

  run: (aws) => aws.vacuum(),
};

export const AWS_CHECKS: readonly Check<AwsSide>[] = [
  stacks,
  failed,
  alarms,
  tokens,
  table,
  optimize,
  vacuum,
];
