import { createHash, randomUUID } from 'node:crypto';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  ListMetricsCommand,
} from '@aws-sdk/client-cloudwatch';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { AthenaCompactionStore } from '../../lake/compaction/athena/athena-compaction-store.ts';
import { COMPACTED_TABLE } from '../../lake/layout/columns.ts';
import { AthenaApi } from '../../platform/athena/athena-api.ts';
import { athenaClient } from '../../platform/athena/athena-client.ts';
import { AthenaDdlRunner } from '../../platform/athena/athena-ddl.ts';
import { AthenaEngine } from '../../platform/athena/athena-engine.ts';
import { executionFailed } from '../../platform/athena/athena-errors.ts';
import { Patience } from '../../platform/athena/patience.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { systemSleep } from '../../platform/concurrency/sleep.ts';
import { createLogger } from '../../platform/log.ts';
import type { AwsSide } from './aws-side.ts';

export interface AwsOptions {
  /** As `-c env=` names it. */
  readonly env: string;
  readonly region: string;
  readonly url: string;
  readonly signal: AbortSignal;
}

const STACKS = ['storage', 'service', 'observability'];
/** As the lake bucket has it, for records that Firehose could not convert. */
const FAILED_PREFIX = 'failed/';
const STATEMENT_MS = 600_000;
const POLL = { firstMs: 250, factor: 1.5, capMs: 5_000 } as const;

/** The AWS side of a deployment, with the credentials that the SDK finds. */
export function openAws({ env, region, url, signal }: AwsOptions): AwsSide {
  const name = `sluice-${env}`;
  const formation = new CloudFormationClient({ region });
  const watch = new CloudWatchClient({ region });
  const s3 = new S3Client({ region });
  const database = `sluice_${env}`;
  // What fails is in the report; Athena's own words are in its history.
  const logger = createLogger({ clock, level: 'error', write: () => {} });
  const athena = {
    client: athenaClient(region),
    workGroup: `${name}-compaction`,
    database,
    logger,
    clock,
  };
  const api = new AthenaApi(athena);
  const engine = new AthenaEngine(athena);
  const store = () =>
    new AthenaCompactionStore({
      engine,
      statements: new AthenaDdlRunner(athena),
      // Only the creation of the table needs it.
      location: '',
      clock,
      logger,
      deadline: clock.now() + STATEMENT_MS,
    });
  const stack = async (part: string) => {
    const StackName = `${name}-${part}`;
    try {
      const { Stacks } = await formation.send(new DescribeStacksCommand({ StackName }));
      return Stacks?.[0];
    } catch (error) {
      if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
      throw error;
    }
  };
  const output = (found: Awaited<ReturnType<typeof stack>>, key: string) =>
    found?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;

  /** Lines of a statement about the catalog; other than those of a SELECT they have no header. */
  const show = async (text: string): Promise<string[]> => {
    const patience = new Patience(
      { until: clock.now() + STATEMENT_MS },
      { clock, sleep: systemSleep },
    );
    const id = await api.start(text, randomUUID(), patience);
    const { Status: status = {} } = await api.ended(id, POLL, patience);
    if (status.State !== 'SUCCEEDED') throw executionFailed(status);
    const { ResultSet: set } = await api.results(id, undefined, patience);
    return (set?.Rows ?? []).map(({ Data = [] }) =>
      Data.map((cell) => cell.VarCharValue ?? '').join('\t'),
    );
  };

  return {
    signal,
    url,

    stacks: () =>
      Promise.all(
        STACKS.map(async (part) => {
          const found = await stack(part);
          return { name: `${name}-${part}`, status: found?.StackStatus, url: output(found, 'Url') };
        }),
      ),

    async failedObjects() {
      const Bucket = output(await stack('storage'), 'LakeBucket');
      const list = new ListObjectsV2Command({ Bucket, Prefix: FAILED_PREFIX, MaxKeys: 10 });
      const { Contents = [] } = await s3.send(list);
      return Contents.map(({ Key = '' }) => Key);
    },

    async alarms() {
      // A deployment has 31 of them, a page 100.
      const all = new DescribeAlarmsCommand({ AlarmNamePrefix: `${name}-`, MaxRecords: 100 });
      const { MetricAlarms = [], CompositeAlarms = [] } = await watch.send(all);
      return [...MetricAlarms, ...CompositeAlarms].map(({ AlarmName = '', StateValue = '' }) => ({
        name: AlarmName,
        state: StateValue,
      }));
    },

    async ownMetrics() {
      const list = new ListMetricsCommand({ Namespace: `Sluice/${env}`, RecentlyActive: 'PT3H' });
      const { Metrics = [] } = await watch.send(list);
      return [...new Set(Metrics.map(({ MetricName = '' }) => MetricName))];
    },

    async startTwice() {
      const token = createHash('sha256').update(randomUUID()).digest('hex');
      const waiting = { until: clock.now() + STATEMENT_MS };
      const query = { text: 'SELECT 1', token };
      const first = await engine.start(query, waiting);
      return [first, await engine.start(query, waiting)];
    },

    async tableProperties() {
      const lines = await show(`SHOW TABLES '${COMPACTED_TABLE}'`);
      if (lines.length === 0) return undefined;
      // A line is a name, a tab and a value.
      return new Map((await show(`SHOW TBLPROPERTIES ${COMPACTED_TABLE}`)).map(splitAtTab));
    },

    optimize: (day) => store().optimize(day),
    vacuum: () => store().expireSnapshots(),
  };
}

function splitAtTab(line: string): [string, string] {
  const [name = '', ...value] = line.split('\t');
  return [name.trim(), value.join('\t').trim()];
}
