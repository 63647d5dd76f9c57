import { describe, expect, test } from 'vitest';
import type { SourceSettings } from '../../../src/catalog/types.ts';
import { Harness, SOURCE, storedEvent } from '../support.ts';
import { messagesIn, rowsIn, rule, SINK_A, SINK_B, sourceWith } from '../transforms/support.ts';

/** A pipeline that knows two sinks with settings of their own. */
function harnessWith(settings: Partial<Record<string, Partial<SourceSettings>>> = {}): Harness {
  const harness = new Harness();
  for (const token of [SINK_A, SINK_B]) {
    harness.registry.sources.set(token, sourceWith(settings[token] ?? {}, token));
  }
  return harness;
}

describe('a rule', () => {
  test('88 copies the events that it fits to its sink', async () => {
    const harness = harnessWith();

    const outcome = await harness.pipeline.store(sourceWith({ rules: [rule('testing')] }), [
      { message: 'some another' },
      { message: 'some testing 123' },
    ]);

    expect(outcome).toEqual({ stored: 2, rejected: [] });
    expect(messagesIn(harness, SOURCE.token)).toEqual(['some another', 'some testing 123']);
    expect(messagesIn(harness, SINK_A)).toEqual(['some testing 123']);
  });

  test('89 of a sink is never looked at', async () => {
    const harness = harnessWith({ [SINK_A]: { rules: [rule('x', SINK_B)] } });

    await harness.pipeline.store(sourceWith({ rules: [rule('x')] }), [{ message: 'x' }]);

    expect(messagesIn(harness, SINK_A)).toEqual(['x']);
    expect(messagesIn(harness, SINK_B)).toEqual([]);
  });

  test.each([
    ['fact 90', '-metadata.level:info -metadata.level:error', { level: 'warn' }, 1],
    ['fact 90', '-metadata.level:info -metadata.level:error', { level: 'info' }, 0],
    ['fact 91', 'm.user_agent:@>Chrome', { user_agent: 'Chrome' }, 1],
    ['fact 91', 'm.user_agent:@>Chrome', { user_agent: 'HomeAssistant/2023.1' }, 0],
    ['fact 92', 'm.lines.data.field:x', { lines: [{ data: { field: 'x' } }, { data: {} }] }, 1],
  ])('%s %s on %j makes %i copies', async (_, lql, metadata, copies) => {
    const harness = harnessWith();

    await harness.pipeline.store(sourceWith({ rules: [rule(lql)] }), [{ metadata }]);

    expect(rowsIn(harness, SINK_A)).toHaveLength(copies);
  });

  test('gives the copy the same id, time and fields, in one write', async () => {
    const harness = harnessWith();
    const event = { message: 'x', project: 'p', a: { b: 1 }, metadata: { level: 'info' } };

    await harness.pipeline.store(sourceWith({ rules: [rule('x')] }), [event]);

    const [own, copy] = harness.rows.map((row) => JSON.parse(row));
    expect(copy).toEqual({ ...own, source_id: SINK_A });
    expect(harness.writes).toEqual([2]);
  });

  test('sees the event as it is stored, and copies it so', async () => {
    const harness = harnessWith();
    const source = sourceWith({
      transform_copy_fields: 'a:b',
      transform_drop_fields: 'a',
      custom_event_message_keys: 'b',
      rules: [rule('b:1 ~"^1$"'), rule('a:1', SINK_B)],
    });

    await harness.pipeline.store(source, [{ a: 1, message: 'm' }]);

    expect(rowsIn(harness, SINK_A).map(storedEvent)).toEqual([
      expect.objectContaining({ b: 1, event_message: '1' }),
    ]);
    expect(rowsIn(harness, SINK_B)).toEqual([]);
  });

  test('and another one with the same sink make one copy', async () => {
    const harness = harnessWith();

    await harness.pipeline.store(sourceWith({ rules: [rule('x'), rule('~x')] }), [
      { message: 'x' },
    ]);

    expect(rowsIn(harness, SINK_A)).toHaveLength(1);
  });

  test('with another sink makes a copy of its own', async () => {
    const harness = harnessWith();

    await harness.pipeline.store(sourceWith({ rules: [rule('x'), rule('x', SINK_B)] }), [
      { message: 'x' },
    ]);

    expect(harness.rows.map((row) => JSON.parse(row).source_id)).toEqual([
      SOURCE.token,
      SINK_A,
      SINK_B,
    ]);
  });

  test('copies nothing that the drop filter fits', async () => {
    const harness = harnessWith();
    const source = sourceWith({ drop_lql_string: 'x', rules: [rule('x')] });

    await harness.pipeline.store(source, [{ message: 'x' }]);

    expect(harness.rows).toEqual([]);
  });
});

describe('a sink', () => {
  test('applies its drop filter and its custom message, but does not copy or drop fields', async () => {
    const harness = harnessWith({
      [SINK_A]: {
        transform_copy_fields: 'a:c',
        transform_drop_fields: 'a',
        drop_lql_string: 'a:1',
        custom_event_message_keys: 'message, a',
      },
    });

    const outcome = await harness.pipeline.store(sourceWith({ rules: [rule('x')] }), [
      { a: 1, message: 'x1' },
      { a: 2, message: 'x2' },
    ]);

    expect(outcome).toEqual({ stored: 2, rejected: [] });
    expect(messagesIn(harness, SOURCE.token)).toEqual(['x1', 'x2']);
    expect(rowsIn(harness, SINK_A).map(storedEvent)).toEqual([
      expect.objectContaining({ a: 2, event_message: 'x2 | 2' }),
    ]);
    expect(rowsIn(harness, SINK_A).join()).not.toContain('\\"c\\"');
  });

  test('learns what it gets', async () => {
    const harness = harnessWith();

    await harness.pipeline.store(sourceWith({ rules: [rule('a:1')] }), [{ a: 1 }, { b: 'x' }]);

    expect(await harness.registry.schema(SOURCE.token)).toEqual({
      types: { a: 2, b: 1 },
      slots: ['a=number', 'b=string'],
    });
    expect(await harness.registry.schema(SINK_A)).toEqual({
      types: { a: 2 },
      slots: ['a=number'],
    });
    expect(rowsIn(harness, SINK_A).map((row) => JSON.parse(row).s000)).toEqual(['1']);
  });

  test('that was deleted is passed over, and logged once', async () => {
    const harness = harnessWith();
    harness.registry.sources.delete(SINK_A);
    const source = sourceWith({ rules: [rule('x'), rule('x', SINK_B)] });

    await harness.pipeline.store(source, [{ message: 'x' }]);
    const outcome = await harness.pipeline.store(source, [{ message: 'x' }]);

    expect(outcome).toEqual({ stored: 1, rejected: [] });
    expect(rowsIn(harness, SINK_B)).toHaveLength(2);
    expect(harness.logger.lines).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('does not exist'),
        fields: { sink: SINK_A },
      },
    ]);
  });

  test('whose custom message makes a copy too large gets none, and the log says so', async () => {
    const harness = harnessWith({ [SINK_A]: { custom_event_message_keys: 'text' } });

    const outcome = await harness.pipeline.store(sourceWith({ rules: [rule('x')] }), [
      { message: 'x', text: 't'.repeat(600_000) },
    ]);

    expect(outcome).toEqual({ stored: 1, rejected: [] });
    expect(rowsIn(harness, SINK_A)).toEqual([]);
    expect(harness.logger.lines).toMatchObject([{ level: 'warn', fields: { copies: 1 } }]);
  });
});

test('nothing is stored when the registry cannot say which sinks there are', async () => {
  const harness = harnessWith();
  const failure = new Error('the registry is down');
  harness.registry.sourceByToken = () => Promise.reject(failure);

  const storing = harness.pipeline.store(sourceWith({ rules: [rule('x')] }), [{ message: 'x' }]);

  await expect(storing).rejects.toBe(failure);
  expect(harness.rows).toEqual([]);
});

test('copies beyond what a request may grow to refuse it as a whole', async () => {
  const harness = harnessWith();
  const sinks = Array.from(
    { length: 100 },
    (_, i) => `33333333-3333-4333-8333-${String(i).padStart(12, '0')}`,
  );
  for (const token of sinks) harness.registry.sources.set(token, sourceWith({}, token));
  const source = sourceWith({ rules: sinks.map((sink) => rule('x', sink)) });

  const storing = harness.pipeline.store(source, [{ message: 'x', text: 't'.repeat(900_000) }]);

  await expect(storing).rejects.toMatchObject({ code: 'too_many_copies', status: 413 });
  expect(harness.rows).toEqual([]);
});
