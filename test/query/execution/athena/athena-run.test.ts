import { describe, expect, test } from 'vitest';
import { AthenaEngine } from '../../../../src/aws/athena-engine.ts';
import type { EngineQuery, EngineRun } from '../../../../src/ports.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { serviceError } from '../../../support/aws/failures.ts';
import { FakeAthena, type Plan } from '../../../support/aws/fake-athena.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

function setUp(plan: Plan | readonly Plan[] = {}) {
  const clock = new TestClock();
  const athena = new FakeAthena(clock, plan);
  const logger = new LogRecorder();
  const engine = new AthenaEngine({
    client: athena.client,
    workGroup: 'api',
    database: 'lake',
    clock,
    logger,
    sleep: clock.sleep,
    random: () => 0.5,
  });
  const told: EngineRun[] = [];
  const query: EngineQuery = {
    text: 'SELECT 1',
    columns: [{ name: 'n', type: { kind: 'int64' } }],
    token: 'a'.repeat(64),
    deadline: clock.now() + 25_000,
    onStarted: (run) => void told.push(run),
  };
  return { clock, athena, engine, logger, query, told, ids: () => told.map(({ id }) => id) };
}

describe('a run', () => {
  test('is told of by the id of its execution', async () => {
    const { engine, query, ids } = setUp();

    await engine.run(query);

    expect(ids()).toEqual(['execution-1']);
  });

  test('is told of to all who wait for it', async () => {
    const { engine, query, ids } = setUp({ before: ['QUEUED', 'RUNNING'] });
    const joined: string[] = [];
    const onStarted = ({ id }: EngineRun) => void joined.push(id);

    await Promise.all([engine.run(query), engine.run({ ...query, onStarted })]);

    expect(ids()).toEqual(['execution-1']);
    expect(joined).toEqual(['execution-1']);
  });

  test('is told of again when it begins anew', async () => {
    const { clock, engine, query, ids } = setUp([{ end: { State: 'CANCELLED' } }, {}]);
    await expect(engine.run(query)).rejects.toMatchObject({ code: 'query_failed' });
    clock.advance(1_000);

    await engine.run(query);

    expect(ids()).toEqual(['execution-1', 'execution-1', 'execution-2']);
  });

  test('is told of by nobody when Athena takes no queries', async () => {
    const { athena, engine, query, ids } = setUp();
    const throttled = Array.from({ length: 500 }, () => serviceError('TooManyRequestsException'));
    athena.fail('StartQueryExecution', ...throttled);

    await expect(engine.run(query)).rejects.toMatchObject({ code: 'engine_throttled' });

    expect(ids()).toEqual([]);
  });
});

describe('the state of a run', () => {
  test.each([
    ['queued', { before: ['QUEUED'], endless: true }],
    ['running', { before: ['RUNNING'], endless: true }],
    ['ended', {}],
    ['ended', { end: { State: 'FAILED' } }],
    ['ended', { end: { State: 'CANCELLED' } }],
  ] as const)('is %s while Athena says %j', async (state, plan) => {
    const { engine, query } = setUp(plan);
    const looks: Promise<string>[] = [];
    const onStarted = (run: EngineRun) => void looks.push(run.state());

    await engine.run({ ...query, onStarted }).catch(() => {});

    expect(await Promise.all(looks)).toEqual([state]);
  });

  test('is taken for running when Athena does not say, and that is logged', async () => {
    const { athena, engine, logger, query, told } = setUp();
    await engine.run(query);
    athena.fail('GetQueryExecution', serviceError('ThrottlingException'));

    expect(await told[0]?.state()).toBe('running');

    expect(logger.at('warn').at(-1)).toMatchObject({ message: 'athena execution not looked at' });
  });
});
