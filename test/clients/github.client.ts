import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createInbox, shared, startedProgram } from './support/service.ts';

const PACKAGE = '@octokit/webhooks-examples/api.github.com/index.json';
const SECRET = 'the-webhook-secret';

interface Webhook {
  /** The name of the event: `issues`, `push`, ... */
  readonly name: string;
  readonly examples: readonly Payload[];
}

interface Payload {
  readonly [field: string]: unknown;
  readonly action?: string;
  readonly repository?: { readonly full_name?: string } | null;
  readonly sender?: { readonly login?: string };
}

const webhooks = createRequire(import.meta.url)(PACKAGE) as readonly Webhook[];

const service = shared(startedProgram);

/** The headers of a delivery, as GitHub sends them with the content type `application/json`. */
function headersOf(event: string, body: string): Record<string, string> {
  return {
    Accept: '*/*',
    'Content-Type': 'application/json',
    'User-Agent': 'GitHub-Hookshot/3e9c1d7',
    'X-GitHub-Delivery': randomUUID(),
    'X-GitHub-Event': event,
    'X-GitHub-Hook-ID': '292430182',
    'X-GitHub-Hook-Installation-Target-ID': '79929171',
    'X-GitHub-Hook-Installation-Target-Type': 'repository',
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  };
}

/** A payload as it should rest: without links, `null` and what is empty. Undefined if nothing is left. */
function kept(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .filter(([key]) => Array.isArray(value) || !key.endsWith('_url'))
    .map(([key, field]): [string, unknown] => [key, kept(field)])
    .filter(([, field]) => field !== undefined);
  if (entries.length === 0) return undefined;
  return Array.isArray(value)
    ? entries.map(([, field]) => field)
    : Object.fromEntries(entries.map(([key, field]) => [stored(key), field]));
}

/** The name of a key in SQL: reactions are counted under `+1`, images labelled `org.opencontainers...`. */
function stored(key: string): string {
  const marks = [/-/, /[^\w-]/, /^\d[^-]*$/].filter((mark) => mark.test(key));
  return '_'.repeat(marks.length) + key.replaceAll(/\W/g, '_');
}

function messageOf({ repository, sender, action }: Payload): string {
  return [repository?.full_name, sender?.login, action].map((part) => part ?? '').join(' | ');
}

test('every example of @octokit/webhooks-examples is stored whole, without its links', async () => {
  const { sluice } = service();
  const inbox = await createInbox(sluice, 'github.examples');
  const deliveries = webhooks.flatMap(({ name, examples }) =>
    examples.map((payload) => ({ name, payload, body: JSON.stringify(payload) })),
  );

  for (const { name, body } of deliveries) {
    const response = await fetch(
      `${sluice.url}/logs/github?source=${inbox.source.token}&api_key=${inbox.key}`,
      { method: 'POST', headers: headersOf(name, body), body },
    );
    expect({ name, status: response.status, answer: await response.json() }).toEqual({
      name,
      status: 200,
      answer: { message: 'Logged!' },
    });
  }

  expect(deliveries.length).toBeGreaterThan(300);
  const events = await inbox.events();
  const byText = (one: object, other: object) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
  expect(
    events.map(({ event_message, metadata }) => ({ event_message, metadata })).toSorted(byText),
  ).toEqual(
    deliveries
      .map(({ payload }) => ({ event_message: messageOf(payload), metadata: kept(payload) }))
      .toSorted(byText),
  );
});
