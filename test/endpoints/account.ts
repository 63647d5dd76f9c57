import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { AthenaEngine } from '../../src/aws/athena-engine.ts';
import { AthenaRunEnds } from '../../src/aws/athena-run-ends.ts';
import type { Endpoint } from '../../src/catalog/types.ts';
import type { QueryRecord } from '../../src/endpoints/query-record.ts';
import { ResultStore } from '../../src/endpoints/result-store.ts';
import { RunFinisher } from '../../src/endpoints/run-finisher.ts';
import { EndpointRunner } from '../../src/endpoints/runner.ts';
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
  const records: QueryRecord[] = [];
  const queryLog = { record: async (record: QueryRecord) => void records.push(record) };
  const resultsOn = (client = shared.client) =>
    new ResultStore({ client, table: shared.table, clock: time });

  /** A process with an engine of its own, which stands still after `freeze`. */
  function start(client?: DynamoDBDocumentClient) {
    let frozen = false;
    let thaw = () => {};
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    const { logger, lines } = recordingLogger();
    const results = resultsOn(client);
    const compiler = new ScriptedCompiler();
    const runner = new EndpointRunner({
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
      compiler,
      clock: time,
      logger,
      lake: { table: 'log_events', bufferSeconds: 300 },
      sleep: time.sleep,
      queryLog,
    });
    const call = async (of: Endpoint) => {
      const { rows, cache, ageSeconds } = await runner.run(of, { input: {}, redact: false });
      return { n: rows[0]?.n, cache, age: ageSeconds };
    };
    const freeze = () => {
      frozen = true;
    };
    return { call, results, lines, compiler, freeze, thaw };
  }

  /** Calls in a process of its own until the caller gives up, and freezes it. */
  async function leave(of: Endpoint) {
    const process = start();
    const seen = athena.starts.length;
    const call = process.call(of).then(
      () => undefined,
      (error) => error,
    );
    await eventually(() => expect(athena.starts).toHaveLength(seen + 1));
    await eventually(() => expect(athena.calls).toContain('GetQueryExecution'));
    process.freeze();
    time.advance(25);
    return { error: await call, id: athena.latest, thaw: process.thaw };
  }

  /** What hears of ends of executions. */
  function finisher(client?: DynamoDBDocumentClient) {
    const { logger, lines } = recordingLogger();
    const results = resultsOn(client);
    const runs = new AthenaRunEnds({
      client: athena.client,
      clock: time,
      logger,
      // Sleeping takes no time here, but moves the clock.
      sleep: async (ms) => time.advance(ms / 1_000),
    });
    const deps = { runs, results, queryLog, clock: time, logger, budgetMs: 30_000 };
    return { finish: (id: string) => new RunFinisher(deps).finish(id), results, lines };
  }

  return { time, athena, records, current, start, leave, finisher };
}
