import { expect, test } from 'vitest';
import { startFaultyGateway } from './support/faulty-gateway.ts';
import { run } from './support/run.ts';
import { createInbox, messages, numbered, shared, startedProgram } from './support/service.ts';

/** Clients of other log stores, to which this service looks like theirs. */

const service = shared(startedProgram);

const PROGRAMS = [
  { client: 'pino-loki', program: 'pino-loki.js', text: 'loki' },
  { client: 'winston-loki in protobuf', program: 'winston-loki.cjs', text: 'info: loki' },
  { client: 'winston-loki in JSON', program: 'winston-loki.cjs', text: 'info: loki', json: true },
  { client: 'splunk-logging', program: 'splunk.cjs', text: 'splunk' },
  { client: '@datadog/datadog-api-client', program: 'datadog.js', text: 'datadog' },
  { client: '@elastic/elasticsearch', program: 'elasticsearch.js', text: 'elastic' },
];

test.each(PROGRAMS)('$client delivers every event once', async (given) => {
  const { client, program, text, json } = given;
  const { sluice } = service();
  const inbox = await createInbox(sluice, `stores.${client.replaceAll(/\W/g, '_')}`);
  const setting = { url: sluice.url, key: inbox.key, source: inbox.source.token };

  await run(program, setting, { args: json === true ? ['json'] : [] });

  expect(
    messages(await inbox.events())
      .map(textOf)
      .toSorted(),
  ).toEqual(numbered(text, 100));
});

test('@elastic/elasticsearch finds its product, and what was refused by its place', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'stores.elastic.answers');

  const printed = await run('elasticsearch.js', {
    url: sluice.url,
    key: inbox.key,
    source: inbox.source.token,
  });

  expect(JSON.parse(printed)).toEqual({
    version: expect.stringMatching(/^8\./),
    successful: 100,
    errors: true,
    status: 400,
  });
});

test('@elastic/elasticsearch repeats what 503 refuses, and loses nothing', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'stores.elastic.overload');
  await using gateway = await startFaultyGateway(sluice.url, [503, 503]);

  await run('elasticsearch.js', {
    url: gateway.url,
    key: inbox.key,
    source: inbox.source.token,
  });

  expect(messages(await inbox.events())).toEqual(numbered('elastic', 100));
});

/** pino-loki sends the whole record as JSON. */
function textOf(message: string): string {
  return message.startsWith('{') ? JSON.parse(message).msg : message;
}
