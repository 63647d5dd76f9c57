import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Row, Source } from './support/client.ts';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

/** A new source with some settings. */
async function sourceWith(settings: object = {}): Promise<Source> {
  const { sluice } = service();
  const created = await sluice.createSource(`settings.${randomUUID()}`);
  const changed = await sluice.call(`/api/sources/${created.token}`, {
    method: 'PUT',
    body: settings,
  });
  expect(changed, changed.text).toMatchObject({ status: 200, body: settings });
  return created;
}

async function addRule(source: Source, lql_string: string, sink: Source): Promise<void> {
  const body = { source_id: source.token, lql_string, sink: sink.token };
  const answer = await service().sluice.post('/api/rules', body);
  expect(answer, answer.text).toMatchObject({ status: 201, body });
}

/** Rows of a source, as a saved query reads them back. */
async function stored(source: Source, columns: string): Promise<readonly Row[]> {
  const { sluice } = service();
  const { token } = await sluice.createEndpoint({
    name: `read.${randomUUID()}`,
    query: `select ${columns} from \`${source.name}\` order by timestamp, event_message`,
  });
  return sluice.rows(token);
}

const messages = async (source: Source): Promise<unknown[]> =>
  (await stored(source, 'event_message')).map(({ event_message }) => event_message);

describe('settings of a source', () => {
  test('73, 74, 77 fields are copied', async () => {
    const source = await sourceWith({
      transform_copy_fields: 'food:my.field\nfood:field\nfield:other\nflag:dest',
    });

    await service().sluice.send(source.name, { food: 123, flag: false });

    expect(await stored(source, 'food, my.field, other, dest')).toEqual([
      { food: 123, field: 123, other: 123, dest: false },
    ]);
  });

  test('75, 76, 83, 84 fields are named as they are stored', async () => {
    const source = await sourceWith({
      transform_copy_fields: '_my_key:kept\nmissing:x\nno colon',
      transform_drop_fields: '_my_key\nmy-other',
    });

    await service().sluice.send(source.name, { 'my-key': 1, 'my-other': 2 });

    expect(await stored(source, 'kept, _my_other')).toEqual([{ kept: 1, _my_other: 2 }]);
    const schema = await service().sluice.call(`/api/sources/${source.token}/schema?variant=dot`);
    expect(schema.body).toEqual({
      id: 'string',
      timestamp: 'datetime',
      event_message: 'string',
      kept: 'integer',
      _my_other: 'integer',
    });
  });

  test('81, 82 fields are dropped', async () => {
    const source = await sourceWith({
      transform_drop_fields: 'm.routing.region\nservice\nmetadata.id',
    });

    await service().sluice.send(source.name, {
      id: 'kept',
      service: 'x',
      metadata: { id: 1, routing: { region: 'eu', zone: 'a' } },
    });

    expect(await stored(source, 'id, metadata')).toEqual([
      { id: 'kept', metadata: { routing: { zone: 'a' } } },
    ]);
  });

  test('85, 86 the message is made of fields', async () => {
    const source = await sourceWith({
      custom_event_message_keys: 'id, event_message, m.a, metadata.missing',
    });

    await service().sluice.send(source.name, {
      id: 'i1',
      message: 'some message',
      metadata: { a: 'value' },
    });

    expect(await messages(source)).toEqual(['i1 | some message | "value" | null']);
  });

  test('87 events that the drop filter fits are acknowledged and not stored', async () => {
    const source = await sourceWith({ drop_lql_string: 'testing' });
    const { sluice } = service();

    await sluice.send(source.name, { message: 'testing 123' });
    const mixed = await sluice.post(`/logs?source=${source.token}`, [
      { message: 'testing' },
      { message: 'other' },
      1,
    ]);

    expect(await messages(source)).toEqual(['other']);
    expect(mixed).toMatchObject({
      status: 406,
      body: { error: expect.stringContaining('Of 3 events 1 were rejected and 1 stored.') },
    });
  });
});

describe('rules', () => {
  test('88, 89 copy events once, with their id and time', async () => {
    const [first, second, third] = [await sourceWith(), await sourceWith(), await sourceWith()];
    await addRule(first, 'testing', second);
    await addRule(second, 'testing', third);

    await service().sluice.send(first.name, [
      { id: 'a', message: 'some another', timestamp: 1_713_268_565_764 },
      { id: 'b', message: 'some testing 123', timestamp: 1_713_268_565_765, metadata: { n: 1 } },
    ]);

    expect(await messages(first)).toEqual(['some another', 'some testing 123']);
    expect(await stored(second, 'id, timestamp, event_message, metadata')).toEqual([
      {
        id: 'b',
        timestamp: 1_713_268_565_765_000,
        event_message: 'some testing 123',
        metadata: { n: 1 },
      },
    ]);
    expect(await messages(third)).toEqual([]);
  });

  test('90, 91, 92 fit fields, texts in lists and fields in lists of objects', async () => {
    const [source, sink] = [await sourceWith(), await sourceWith()];
    await addRule(
      source,
      '-m.level:info -m.level:error m.agent:@>Chrome m.lines.data.field:x',
      sink,
    );
    const fitting = { agent: 'Chrome', lines: [{ data: { field: 'x' } }, { data: {} }] };

    await service().sluice.send(source.name, [
      { message: 'warn', metadata: { ...fitting, level: 'warn' } },
      { message: 'info', metadata: { ...fitting, level: 'info' } },
      { message: 'no level', metadata: fitting },
      { message: 'agent', metadata: { ...fitting, level: 'warn', agent: 'HomeAssistant/2023' } },
    ]);

    expect(await messages(sink)).toEqual(['warn']);
  });

  test("apply the sink's drop filter and message, and need no key for it", async () => {
    const source = await sourceWith({ transform_copy_fields: 'a:b' });
    const sink = await sourceWith({
      transform_drop_fields: 'a',
      drop_lql_string: 'a:1',
      custom_event_message_keys: 'message, b',
    });
    await addRule(source, 'a:>0', sink);
    const { sluice } = service();
    const sender = sluice.as(await sluice.createKey(`ingest:source:${source.token}`));

    await sender.send(source.name, [
      { a: 1, message: 'one' },
      { a: 2, message: 'two' },
    ]);

    expect(await messages(source)).toEqual(['one', 'two']);
    expect(await stored(sink, 'event_message, a, b')).toEqual([
      { event_message: 'two | 2', a: 2, b: 2 },
    ]);
    expect(await sender.post(`/logs?source=${sink.token}`, {})).toMatchObject({ status: 401 });
  });

  test('to a source that was deleted hinder no other source', async () => {
    const [source, sink] = [await sourceWith(), await sourceWith()];
    await addRule(source, 'x', sink);
    await service().sluice.call(`/api/sources/${sink.token}`, { method: 'DELETE' });

    await service().sluice.send(source.name, { message: 'x' });

    expect(await messages(source)).toEqual(['x']);
  });
});
