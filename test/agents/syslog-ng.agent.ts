import { expect, inject, test } from 'vitest';
import { startFaultyGateway } from '../clients/support/faulty-gateway.ts';
import { createInbox, messages, shared, startedProgram } from '../clients/support/service.ts';
import { sendFrames } from './support/agent.ts';
import { delivered } from './support/delivered.ts';
import { FILE_LINES, MESSAGES, STRUCTURED } from './support/messages.ts';
import { place } from './support/place.ts';
import { startSyslogNg } from './support/syslog-ng.ts';

const agents = inject('agents');
const service = shared(startedProgram);

test('syslog-ng with the configuration of docs/clients delivers every message once', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'syslog_ng.all');
  await using here = await place({ 'app.log': FILE_LINES });
  await using agent = await startSyslogNg(agents, here, { url: sluice.url, inbox });

  await sendFrames(agent.port, [...MESSAGES.map(({ wire }) => wire), STRUCTURED.wire]);

  const texts = [...MESSAGES.map(({ text }) => text), 'structured', ...FILE_LINES];
  await delivered(inbox, texts);
  await agent.stop();
  const events = await inbox.events();
  expect(messages(events)).toEqual(texts.toSorted());
  expect(events.find(({ event_message }) => event_message === 'structured')).toMatchObject({
    id: expect.stringMatching(/./),
    timestamp: STRUCTURED.timestamp,
    metadata: STRUCTURED.metadata,
  });
});

test('syslog-ng repeats what 429 and 503 refuse, and loses nothing', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'syslog_ng.overload');
  await using gateway = await startFaultyGateway(sluice.url, [429, 503]);
  await using here = await place({ 'app.log': FILE_LINES });

  await using agent = await startSyslogNg(agents, here, { url: gateway.url, inbox });

  await delivered(inbox, FILE_LINES);
  await agent.stop();
  expect(gateway.requests.slice(0, 2).map(({ status }) => status)).toEqual([429, 503]);
  expect(messages(await inbox.events())).toEqual(FILE_LINES.toSorted());
});

test('syslog-ng gives up a batch of which the service refuses an event, and goes on', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'syslog_ng.refused');
  await using here = await place({ 'app.log': [] });
  await using agent = await startSyslogNg(agents, here, { url: sluice.url, inbox });
  const at = (time: number, text: string) =>
    `<134>1 ${new Date(time).toISOString()} web-1 shop - - - ${text}`;

  await sendFrames(agent.port, [
    at(Date.now(), 'before'),
    at(Date.now() + 7_200_000, 'two hours ahead'),
    at(Date.now(), 'after'),
  ]);
  await delivered(inbox, ['before', 'after']);
  await sendFrames(agent.port, [at(Date.now(), 'next batch')]);

  await delivered(inbox, ['before', 'after', 'next batch']);
});
