import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Management, openManagement, type Shown } from './support.ts';

export interface RuleBench {
  readonly management: Management;
  /** A source, and one to copy to. */
  readonly source: Shown;
  readonly sink: Shown;
  createSource(): Promise<Shown>;
  /** The body that creates a rule between the two. */
  draft(fields?: object): object;
  create(fields?: object): Promise<Shown>;
  rulesOf(token: string): Promise<readonly Shown[]>;
}

/** The management routes, with two new sources for each test of a file. */
export function ruleBench(): () => RuleBench {
  let management: Management;
  let bench: RuleBench;

  const createSource = async (): Promise<Shown> =>
    (await management.call('POST', '/api/sources', { name: `source-${randomUUID()}` })).body;

  beforeAll(async () => {
    management = await openManagement();
  });
  afterAll(() => management.close());
  beforeEach(async () => {
    const [source, sink] = [await createSource(), await createSource()];
    const draft = (fields: object = {}) => ({
      source_id: source.token,
      lql_string: 'level:error',
      sink: sink.token,
      ...fields,
    });
    bench = {
      management,
      source,
      sink,
      createSource,
      draft,
      async create(fields) {
        const answer = await management.call('POST', '/api/rules', draft(fields));
        expect(answer.status).toBe(201);
        return answer.body;
      },
      async rulesOf(token) {
        const { body } = await management.call<Shown[]>('GET', '/api/rules');
        return body.filter(({ source_id }) => source_id === token);
      },
    };
  });
  return () => bench;
}
