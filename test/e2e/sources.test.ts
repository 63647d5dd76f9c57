import { expect, test } from 'vitest';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

test('a source is created, shown, described and deleted', async () => {
  const { sluice } = service();

  const created = await sluice.createSource('app.billing');
  const changed = await sluice.call(`/api/sources/${created.token}`, {
    method: 'PUT',
    body: { description: 'What billing logs' },
  });
  const shown = await sluice.call(`/api/sources/${created.token}`);
  const deleted = await sluice.call(`/api/sources/${created.token}`, { method: 'DELETE' });
  const gone = await sluice.call(`/api/sources/${created.token}`);

  expect(created).toMatchObject({ id: created.token, name: 'app.billing', description: null });
  expect(changed).toMatchObject({ status: 200, body: { description: 'What billing logs' } });
  expect(shown.body).toEqual(changed.body);
  expect(deleted).toMatchObject({ status: 204, text: '' });
  expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('the schema of a source is what its events have shown', async () => {
  const { sluice } = service();
  const { token } = await sluice.createSource('app.learning');
  await sluice.send('app.learning', {
    level: 'info',
    metadata: { took: 12, ok: true, user: { 'e-mail': 'ada@example.com' }, tags: ['a'] },
  });
  await sluice.send('app.learning', { metadata: { took: 1.5, steps: [{ name: 'parse' }] } });

  const schema = await sluice.call(`/api/sources/${token}/schema`);
  const dotted = await sluice.call(`/api/sources/${token}/schema?variant=dot`);

  expect(schema.body).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'app.learning',
    properties: {
      id: { type: 'string' },
      timestamp: { type: 'number' },
      event_message: { type: 'string' },
      level: { type: 'string' },
      metadata: {
        type: 'object',
        properties: {
          took: { type: 'number' },
          ok: { type: 'boolean' },
          user: { properties: { _e_mail: { type: 'string' } } },
          tags: { type: 'array', items: { type: 'string' } },
          steps: { items: { properties: { name: { type: 'string' } } } },
        },
      },
    },
  });
  expect(dotted.body).toEqual({
    id: 'string',
    timestamp: 'datetime',
    event_message: 'string',
    level: 'string',
    'metadata.took': 'integer|float',
    'metadata.ok': 'boolean',
    'metadata.user._e_mail': 'string',
    'metadata.tags': 'string[]',
    'metadata.steps.name': 'string',
  });
});

test('a renamed source takes events under its new name, and saved queries go on', async () => {
  const { sluice } = service();
  const { token } = await sluice.createSource('app.old-name');
  await sluice.createEndpoint({
    name: 'renamed.messages',
    query: 'select event_message from `app.old-name` order by event_message',
  });
  await sluice.send('app.old-name', { message: 'before' });

  await sluice.call(`/api/sources/${token}`, { method: 'PATCH', body: { name: 'app.new-name' } });
  await sluice.send('app.new-name', { message: 'later' });
  const underOldName = await sluice.post('/logs?source_name=app.old-name', { message: 'lost' });

  expect(await sluice.rows('renamed.messages')).toEqual([
    { event_message: 'before' },
    { event_message: 'later' },
  ]);
  expect(underOldName.status).toBe(404);
});

test('a source that takes the old name of another does not get into its saved queries', async () => {
  const { sluice } = service();
  const { token } = await sluice.createSource('app.first');
  await sluice.createEndpoint({
    name: 'first.messages',
    query: 'select event_message from `app.first`',
  });
  await sluice.send('app.first', { message: 'of the first' });
  await sluice.call(`/api/sources/${token}`, { method: 'PATCH', body: { name: 'app.moved' } });

  await sluice.createSource('app.first');
  await sluice.send('app.first', { message: 'of the second' });

  expect(await sluice.rows('first.messages')).toEqual([{ event_message: 'of the first' }]);
});

test('a saved query says so when its source was deleted', async () => {
  const { sluice } = service();
  const { token } = await sluice.createSource('app.doomed');
  await sluice.createEndpoint({ name: 'doomed.ids', query: 'select id from `app.doomed`' });
  await sluice.call(`/api/sources/${token}`, { method: 'DELETE' });

  const answer = await sluice.query('doomed.ids');

  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'source_deleted', error: expect.stringContaining('"app.doomed"') },
  });
});

test('sources do not see the events of each other', async () => {
  const { sluice } = service();
  for (const name of ['app.one', 'app.two']) {
    await sluice.createSource(name);
    await sluice.send(name, { message: `in ${name}` });
  }
  await sluice.createEndpoint({
    name: 'both',
    query: `select 'one' as place, event_message from \`app.one\`
            union all select 'two' as place, event_message from \`app.two\` order by place`,
  });

  expect(await sluice.rows('both')).toEqual([
    { place: 'one', event_message: 'in app.one' },
    { place: 'two', event_message: 'in app.two' },
  ]);
});
