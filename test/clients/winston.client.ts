import { expect, test } from 'vitest';
import { acknowledged, startFaultyGateway } from './support/faulty-gateway.ts';
import { run } from './support/run.ts';
import { createInbox, messages, numbered, shared, startedProgram } from './support/service.ts';

const service = shared(startedProgram);

test('winston-logflare delivers what a program logs, to its last line', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'winston.all');

  await run('winston.cjs', { url: sluice.url, key: inbox.key, source: inbox.source.token });

  const events = await inbox.events();
  expect(messages(events)).toEqual([...numbered('winston', 100), 'winston error'].toSorted());
  expect(events.find(({ event_message }) => event_message === 'winston 7')?.metadata).toEqual({
    env: 'staging',
    level: 'info',
    number: 7,
    property: 'Zoë',
  });
  expect(events.find(({ event_message }) => event_message === 'winston error')?.metadata).toEqual({
    env: 'staging',
    level: 'error',
  });
});

test('winston-logflare loses no event that was acknowledged', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'winston.overload');
  await using gateway = await startFaultyGateway(sluice.url, [429, 'pass', 503, 'pass']);

  await run('winston.cjs', { url: gateway.url, key: inbox.key, source: inbox.source.token });

  expect(gateway.requests.filter(({ status }) => status !== 200)).toHaveLength(2);
  expect(acknowledged(gateway)).toHaveLength(99);
  expect(messages(await inbox.events())).toEqual(acknowledged(gateway));
});
