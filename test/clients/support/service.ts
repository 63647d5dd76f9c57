import type { Client, Row, Source } from '../../e2e/support/client.ts';
import { startProgram } from '../../e2e/support/program.ts';
import type { Running } from '../../e2e/support/server.ts';

export { shared } from '../../e2e/support/server.ts';

/** More rows than any test sends: an answer that is cut off would hide events. */
const MAX_ROWS = 10_000;

/** The service as `npm start` runs it, a process of its own. For `shared`. */
export async function startedProgram(dataDirectory: string): Promise<Running> {
  const { sluice, end } = await startProgram(dataDirectory);
  return {
    sluice,
    settle: async () => {},
    close: async () => {
      await end('SIGTERM');
    },
  };
}

/** A source of its own for one test, with a key that may do nothing but send to it. */
export interface Inbox {
  readonly source: Source;
  /** The secret of the key. */
  readonly key: string;
  /** Every stored event, by message: `id`, `timestamp` in microseconds, `event_message`, `metadata`. */
  events(): Promise<readonly Row[]>;
}

export async function createInbox(sluice: Client, name: string): Promise<Inbox> {
  const source = await sluice.createSource(name);
  const { token } = await sluice.createKey(`ingest:source:${source.token}`);
  const endpoint = await sluice.createEndpoint({
    name: `${name}.events`,
    max_limit: MAX_ROWS,
    query: `select t.id, t.timestamp, t.event_message, t.metadata from \`${name}\` as t
            order by t.event_message, t.id`,
  });
  return { source, key: token, events: () => sluice.rows(endpoint.name) };
}

/** The texts of the events, in order of their code points. */
export function messages(events: readonly Row[]): string[] {
  return events.map(({ event_message }) => String(event_message)).toSorted();
}

/** The events without further copies of an event: those have its id. */
export function distinct(events: readonly Row[]): readonly Row[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** `<text> 0` to `<text> <count - 1>`, in order of their code points. */
export function numbered(text: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${text} ${index}`).toSorted();
}
