import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { Endpoint } from '../../src/catalog/types.ts';
import { AthenaEngine } from '../../src/platform/athena/athena-engine.ts';
import { ResultStore } from '../../src/query/cache/result-cache-store.ts';
import { EndpointService } from '../../src/query/endpoint-service.ts';
import { ExecutionLeases } from '../../src/query/execution/execution-leases.ts';
import type { QueryLogRecord } from '../../src/query/usage/query-log-record.ts';
import { WarmQueryStore } from '../../src/query/warming/warm-list.ts';
import { Warmer } from '../../src/query/warming/warmer.ts';
import { recordingLogger } from '../http/support.ts';
import { FakeAthena, type Plan } from '../support/aws/fake-athena.ts';
import { EVENTS, eventually, ScriptedCompiler, sourceRegistry, TestTime } from './support.ts';

export const RUNNING: Plan = { before: ['RUNNING'], endless: true };
export const SUCCEEDED: Plan = {
  rows: [['7']],
  statistics: {
    DataScannedInBytes: 25_000_000,
    QueryQueueTimeInMillis: 40,
    EngineExecutionTimeInMillis: 60_000,
  },
};

/** The cache table, through a client that a test may have put something in front of. */
interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** An account: its Athena, its cache table, and as many processes as a test wants. */
export function openAccount(shared: Table, plan: Plan = RUNNING) {
  const time = new TestTime();
  const current = { plan };
  // Looks at what the plan is by now, so that a test says when an execution ends.
  const live = new Proxy({} as Plan, {
    get: (_target, name) => current.plan[name as keyof Plan],
  });
  const athena = new FakeAthena(time, () => live, randomUUID());
  const records: QueryLogRecord[] = [];
  const queryLog = { record: async (record: QueryLogRecord) => void records.push(record) };

  /** A process with an engine of its own, which stands still after `freeze`. */
  function start(client: DynamoDBDocumentClient = shared.client) {
    let frozen = false;
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
    const { logger, lines } = recordingLogger();
    const cache = { client, table: shared.table, clock: time };
    const results = new ResultStore(cache);
    const leases = new ExecutionLeases(cache);
    const warmList = new WarmQueryStore(cache);
    const compiler = new ScriptedCompiler();
    const runner = new EndpointService({
      registry: sourceRegistry(EVENTS),
      engine: new AthenaEngine({
        client: athena.client,
        workGroup: 'api',
        database: 'lake',
        clock: time,
        logger,
        sleep: (ms) => (frozen ? thawed : time.sleep(ms)),
        random: () => 0.5,
      }),
      results,
      leases,
      warm: warmList,
      compiler,
      clock: time,
      logger,
      lake: { table: 'log_events', maxFilingDelaySeconds: 300 },
      sleep: time.sleep,
      queryLog,
    });
    const call = async (of: Endpoint) => {
      const { rows, cache, ageSeconds } = await runner.run(of, { input: {}, redact: false });
      return { n: rows[0]?.n, cache, age: ageSeconds };
    };
    const warm = (of: Endpoint) => {
      const registry = { listEndpoints: async () => [of] };
      return new Warmer({
        registry,
        runner,
        results,
        warm: warmList,
        clock: time,
        logger,
      }).runOnce();
    };
    const freeze = () => {
      frozen = true;
    };
    return { call, warm, results, leases, lines, compiler, freeze, thaw };
  }

  /** Calls in a process of its own until the caller gives up, and freezes it. */
  async function leave(of: Endpoint) {
    const process = start();
    const seen = athena.starts.length;
    const polled = athena.calls.length;
    const call = process.call(of).then(
      () => undefined,
      (error) => error,
    );
    await eventually(() => expect(athena.starts).toHaveLength(seen + 1));
    await eventually(() => expect(athena.calls.slice(polled)).toContain('GetQueryExecution'));
    process.freeze();
    time.advance(25);
    return { error: await call, id: athena.latest, thaw: process.thaw };
  }

  return { time, athena, records, current, start, leave };
}
