import { describe, expect, test } from 'vitest';
import { AthenaEngine } from '../../../../src/aws/athena-engine.ts';
import type { EngineQuery } from '../../../../src/ports.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { FakeAthena, type Plan } from '../../../support/aws/fake-athena.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

const clock = () => new TestClock();

function engineOn(athena: FakeAthena, time: TestClock): AthenaEngine {
  return new AthenaEngine({
    client: athena.client,
    workGroup: 'sluice-api',
    database: 'sluice',
    clock: time,
    logger: new LogRecorder(),
    sleep: time.sleep,
    random: () => 0.5,
  });
}

function queryUntil(deadline: number, changes: Partial<EngineQuery> = {}): EngineQuery {
  return {
    text: 'SELECT 1',
    columns: [{ name: 'n', type: { kind: 'int64' } }],
    token: 'b'.repeat(64),
    deadline,
    ...changes,
  };
}

const endless: Plan = { before: ['RUNNING'], endless: true };

describe('equal tokens in one process', () => {
  test('share one start, one series of polls and one reading of the results', async () => {
    const time = clock();
    const athena = new FakeAthena(time, { rows: [['1']] });
    const engine = engineOn(athena, time);
    const query = queryUntil(time.now() + 25_000);

    const [first, second] = await Promise.all([engine.run(query), engine.run(query)]);

    expect(first.rows).toEqual([['1']]);
    expect(second).toBe(first);
    expect(athena.calls).toEqual(['StartQueryExecution', 'GetQueryExecution', 'GetQueryResults']);
  });

  test('fail together', async () => {
    const time = clock();
    const athena = new FakeAthena(time, { end: { State: 'FAILED' } });
    const engine = engineOn(athena, time);
    const query = queryUntil(time.now() + 25_000);

    const runs = await Promise.allSettled([engine.run(query), engine.run(query)]);

    expect(runs.map((run) => run.status)).toEqual(['rejected', 'rejected']);
  });

  test('time out each at its own deadline, and only the last one cancels', async () => {
    const time = clock();
    const athena = new FakeAthena(time, { before: Array(20).fill('RUNNING'), rows: [['1']] });
    const engine = engineOn(athena, time);
    const early = time.now() + 2_000;

    const hasty = engine.run(queryUntil(early)).catch((error) => ({ error, at: time.now() }));
    const patient = engine.run(queryUntil(time.now() + 60_000));

    expect(await hasty).toMatchObject({ error: { code: 'query_timeout' }, at: early });
    expect((await patient).rows).toEqual([['1']]);
    expect(athena.stopped).toEqual([]);
  });

  test('cancel once when all of them are late', async () => {
    const time = clock();
    const athena = new FakeAthena(time, endless);
    const engine = engineOn(athena, time);
    const start = time.now();

    const runs = await Promise.allSettled([
      engine.run(queryUntil(start + 5_000)),
      engine.run(queryUntil(start + 9_000)),
    ]);

    expect(runs.map((run) => run.status)).toEqual(['rejected', 'rejected']);
    expect(athena.stopped).toEqual(['execution-1']);
    expect(time.now()).toBe(start + 9_000);
  });

  test('run again once the shared run is over', async () => {
    const time = clock();
    const athena = new FakeAthena(time, { rows: [['1']] });
    const engine = engineOn(athena, time);
    const query = queryUntil(time.now() + 25_000);
    await engine.run(query);

    const { rows } = await engine.run(query);

    expect(rows).toEqual([['1']]);
    expect(athena.starts).toHaveLength(2);
    expect(athena.executions).toBe(1);
  });

  test('never share between different texts', async () => {
    const time = clock();
    const athena = new FakeAthena(time, { rows: [['1']] });
    const engine = engineOn(athena, time);
    const deadline = time.now() + 25_000;

    const [right, wrong] = await Promise.allSettled([
      engine.run(queryUntil(deadline)),
      engine.run(queryUntil(deadline, { text: 'SELECT 2' })),
    ]);

    expect(right.status).toBe('fulfilled');
    expect(wrong).toMatchObject({ reason: { code: 'query_failed' } });
  });
});

describe('equal tokens in different processes', () => {
  test('wait for the same execution', async () => {
    const time = clock();
    const athena = new FakeAthena(time, { before: ['RUNNING', 'RUNNING'], rows: [['1']] });
    const query = queryUntil(time.now() + 25_000);

    const results = await Promise.all([
      engineOn(athena, time).run(query),
      engineOn(athena, time).run(query),
    ]);

    expect(results.map(({ rows }) => rows)).toEqual([[['1']], [['1']]]);
    expect(athena.executions).toBe(1);
  });

  test('run anew after an earlier caller cancelled the execution', async () => {
    const time = clock();
    const athena = new FakeAthena(time, [endless, { rows: [['1']] }]);
    const impatient = engineOn(athena, time).run(queryUntil(time.now() + 1_000));
    await expect(impatient).rejects.toMatchObject({ code: 'query_timeout' });
    time.advance(10);

    const { rows } = await engineOn(athena, time).run(queryUntil(time.now() + 25_000));

    expect(rows).toEqual([['1']]);
    expect(athena.executions).toBe(2);
  });

  test('meet in the same new execution after that', async () => {
    const time = clock();
    const athena = new FakeAthena(time, [endless, { before: ['RUNNING'], rows: [['1']] }]);
    const impatient = engineOn(athena, time).run(queryUntil(time.now() + 1_000));
    await expect(impatient).rejects.toMatchObject({ code: 'query_timeout' });
    time.advance(10);
    const query = queryUntil(time.now() + 25_000);

    await Promise.all([engineOn(athena, time).run(query), engineOn(athena, time).run(query)]);

    expect(athena.executions).toBe(2);
  });

  test('run anew after a failure that Athena calls retryable', async () => {
    const time = clock();
    const failed = { State: 'FAILED', AthenaError: { Retryable: true } } as const;
    const athena = new FakeAthena(time, [{ end: failed }, { rows: [['1']] }]);
    const query = queryUntil(time.now() + 25_000);
    await expect(engineOn(athena, time).run(query)).rejects.toMatchObject({ code: 'query_failed' });
    time.advance(10);

    const { rows } = await engineOn(athena, time).run(query);

    expect(rows).toEqual([['1']]);
  });

  test.each([
    { State: 'FAILED', StateChangeReason: 'SYNTAX_ERROR' },
    { State: 'CANCELLED', StateChangeReason: 'Bytes scanned limit was exceeded' },
  ] as const)('do not repeat an execution that would end the same: $State', async (end) => {
    const time = clock();
    const athena = new FakeAthena(time, { end });
    const query = queryUntil(time.now() + 25_000);
    await expect(engineOn(athena, time).run(query)).rejects.toThrow();
    time.advance(10);

    await expect(engineOn(athena, time).run(query)).rejects.toThrow();

    expect(athena.executions).toBe(1);
  });

  test('stop running anew after ten dead executions', async () => {
    const time = clock();
    const athena = new FakeAthena(time, () => endless);
    for (let call = 0; call < 11; call++) {
      const run = engineOn(athena, time).run(queryUntil(time.now() + 1_000));
      await expect(run).rejects.toMatchObject({ code: 'query_timeout' });
      time.advance(10);
    }

    const run = engineOn(athena, time).run(queryUntil(time.now() + 1_000));

    await expect(run).rejects.toMatchObject({ code: 'query_failed' });
    expect(athena.executions).toBe(11);
  });
});
