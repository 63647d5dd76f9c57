import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { startFaultyGateway } from '../clients/support/faulty-gateway.ts';
import {
  createInbox,
  distinct,
  messages,
  shared,
  startedProgram,
} from '../clients/support/service.ts';
import { sendFrames } from './support/agent.ts';
import { delivered } from './support/delivered.ts';
import { FILE_LINES, MESSAGES, STRUCTURED } from './support/messages.ts';
import { place } from './support/place.ts';
import { startForwarder, startRsyslog } from './support/rsyslog.ts';
import { startSyslogNg } from './support/syslog-ng.ts';

const agents = inject('agents');
const service = shared(startedProgram);

test('rsyslog with omhttp and the configuration of docs/clients delivers every message once', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'rsyslog.all');
  await using here = await place({ 'app.log': FILE_LINES });
  await using agent = await startRsyslog(agents, here, { url: sluice.url, inbox });

  await sendFrames(agent.port, [...MESSAGES.map(({ wire }) => wire), STRUCTURED.wire]);

  const texts = [...MESSAGES.map(({ text }) => text), 'structured', ...FILE_LINES];
  await delivered(inbox, texts);
  await agent.stop();
  const events = await inbox.events();
  expect(messages(events)).toEqual(texts.toSorted());
  expect(new Set(events.map(({ id }) => id)).size).toBe(texts.length);
  expect(events.find(({ event_message }) => event_message === 'structured')).toMatchObject({
    timestamp: STRUCTURED.timestamp,
    metadata: STRUCTURED.metadata,
  });
});

test('rsyslog repeats what 503 refuses, and loses nothing', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'rsyslog.overload');
  await using gateway = await startFaultyGateway(sluice.url, [503]);
  await using here = await place({ 'app.log': FILE_LINES });

  await using agent = await startRsyslog(agents, here, { url: gateway.url, inbox });

  await delivered(inbox, FILE_LINES);
  await agent.stop();
  expect(gateway.requests[0]?.status).toBe(503);
  expect(messages(await inbox.events())).toEqual(FILE_LINES.toSorted());
});

// After a refused batch rsyslog 8.2302 posts the next message twice, with the same id.
test('rsyslog keeps what 429 refuses in its error file, and goes on', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'rsyslog.refused');
  await using gateway = await startFaultyGateway(sluice.url, [429]);
  await using here = await place({ 'app.log': ['refused'] });
  await using agent = await startRsyslog(agents, here, { url: gateway.url, inbox });
  await expect.poll(() => gateway.requests.length, { timeout: 30_000 }).toBe(1);

  await sendFrames(agent.port, ['<134>1 2026-01-31T08:30:00Z web-1 shop - - - next batch']);

  await expect
    .poll(async () => messages(distinct(await inbox.events())), { timeout: 30_000 })
    .toEqual(['next batch']);
  const failed = await readFile(join(here.spool, 'sluice-failed.log'), 'utf8');
  const { request, response } = JSON.parse(failed.split('\n')[0] ?? '') as {
    request: { postdata: string };
    response: { status: number };
  };
  expect(response.status).toBe(429);
  expect(JSON.parse(request.postdata)).toMatchObject([{ message: 'refused' }]);
});

test('rsyslog without omhttp delivers every message through syslog-ng', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'rsyslog.forwarded');
  await using there = await place({ 'app.log': [] });
  await using relay = await startSyslogNg(agents, there, { url: sluice.url, inbox });
  await using here = await place({ 'forwarded.log': FILE_LINES });
  await using agent = await startForwarder(agents, here, relay);

  await sendFrames(agent.port, [...MESSAGES.map(({ wire }) => wire), STRUCTURED.wire]);

  const texts = [...MESSAGES.map(({ text }) => text), 'structured', ...FILE_LINES];
  await delivered(inbox, texts);
  const events = await inbox.events();
  expect(events.find(({ event_message }) => event_message === 'structured')).toMatchObject({
    timestamp: STRUCTURED.timestamp,
    metadata: STRUCTURED.metadata,
  });
});
