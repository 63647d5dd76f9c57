/**
 * The contract of both ports once more, over the wire: the adapters with their real clients, and behind
 * the stand-ins' protocols Parquet files and a real Trino.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { inject, vi } from 'vitest';
import { firehoseClient } from '../../src/ingest/delivery/firehose/firehose-client.ts';
import { FirehoseSink } from '../../src/ingest/delivery/firehose/firehose-sink.ts';
import { LANDING_COLUMNS } from '../../src/lake/layout/columns.ts';
import { athenaClient } from '../../src/platform/athena/athena-client.ts';
import { AthenaEngine } from '../../src/platform/athena/athena-engine.ts';
import type { WireRow } from '../../src/platform/execution.ts';
import type { OutputColumn } from '../../src/sql/common/result-schema.ts';
import { eventSinkContract } from '../ports/event-sink.contract.ts';
import { LEAK, queryEngineContract } from '../ports/query-engine.contract.ts';
import { pointSdkAt } from '../support/aws/aws-environment.ts';
import { TestClock } from '../support/aws/clock.ts';
import { FakeLanding } from '../support/aws/fake-landing.ts';
import { LogRecorder } from '../support/aws/log.ts';
import { AthenaServer } from './chain/athena.ts';
import { ChainClock } from './chain/clock.ts';
import { Delivery } from './chain/firehose/delivery.ts';

eventSinkContract('FirehoseSink, as far as Parquet', async () => {
  const bucket = await mkdtemp(join(tmpdir(), 'sluice-delivered-'));
  const landing = await FakeLanding.start();
  const clock = new TestClock();
  vi.stubEnv('LOG_LEVEL', 'warn');
  const { handler } = await import('../../lambdas/transformation.ts');
  const delivery = new Delivery(bucket, clock, LANDING_COLUMNS, (event) => handler(event as never));
  landing.onStored = (record) => delivery.add(record);
  const client = firehoseClient();
  const logger = new LogRecorder();
  const sink = new FirehoseSink({ client, stream: 'landing', clock, logger, sleep: clock.sleep });
  return {
    sink,
    async stored() {
      await delivery.flush();
      return idsIn(bucket);
    },
    refuse(refusing) {
      landing.treat.firehose = () => (refusing ? { error: 'ServiceUnavailableException' } : 'ok');
    },
    async close() {
      client.destroy();
      await landing.close();
      await rm(bucket, { recursive: true });
      if (delivery.failed.length > 0) throw new Error(delivery.failed.join('\n'));
    },
  };
});

async function idsIn(bucket: string): Promise<string[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    const files = `${bucket}/log_events/*/*/*.parquet`;
    const [{ n } = { n: 0 }] = await rowsOf(`SELECT count(*)::INT AS n FROM glob('${files}')`);
    if (n === 0) return [];
    return (await rowsOf(`SELECT id FROM read_parquet('${files}')`)).map(({ id }) => String(id));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }

  async function rowsOf(sql: string) {
    return (await connection.runAndReadAll(sql)).getRowObjects();
  }
}

/** Trino counts for hours. */
const ENDLESS = `SELECT count(*) FROM UNNEST(SEQUENCE(1, 10000)) AS a(x)
  CROSS JOIN UNNEST(SEQUENCE(1, 10000)) AS b(y) CROSS JOIN UNNEST(SEQUENCE(1, 10000)) AS c(z)
  WHERE (x * y + z) % 7 = 3`;

queryEngineContract('AthenaEngine, as far as Trino', async () => {
  const clock = new ChainClock();
  const athena = await AthenaServer.start({
    trino: inject('trino'),
    clock,
    workGroups: ['api'],
  });
  pointSdkAt(athena.url);
  const client = athenaClient();
  const logger = new LogRecorder();
  return {
    engine: new AthenaEngine({ client, workGroup: 'api', database: 'lake', clock, logger }),
    clock,
    answering: literalRows,
    unique: () => 'SELECT CAST(UUID() AS VARCHAR)',
    failing: () => `SELECT column_of_it FROM ${LEAK}`,
    endless: () => ENDLESS,
    async saturate() {
      athena.treat = () => {
        clock.advance(20_000);
        return { error: 'TooManyRequestsException' };
      };
    },
    async close() {
      client.destroy();
      await athena.close();
      vi.unstubAllEnvs();
    },
  };
});

/** A SELECT of these cells; as JSON, since Trino takes neither 10,000 rows of VALUES nor such an array. */
function literalRows(columns: readonly OutputColumn[], rows: readonly WireRow[]): string {
  const json = JSON.stringify(rows).replaceAll("'", "''");
  const cells = columns.map(({ type }, at) => `CAST(r[${at + 1}] AS ${TRINO_TYPES[type.kind]})`);
  return `SELECT ${cells.join(', ')}
    FROM UNNEST(CAST(JSON '${json}' AS ARRAY(ARRAY(VARCHAR)))) WITH ORDINALITY AS t(r, i) ORDER BY i`;
}

/** What compiled statements answer with. */
const TRINO_TYPES: Readonly<Record<OutputColumn['type']['kind'], string>> = {
  int64: 'BIGINT',
  float64: 'DOUBLE',
  bool: 'BOOLEAN',
  string: 'VARCHAR',
  timestamp: 'BIGINT',
  datetime: 'BIGINT',
  date: 'VARCHAR',
  json: 'VARCHAR',
};
