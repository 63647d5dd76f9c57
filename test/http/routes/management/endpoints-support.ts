import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Management, openManagement, type Shown } from './support.ts';

/** Management for all tests of a file about endpoints; each begins with a compiler that takes every query. */
export function endpointManagement() {
  let opened: Management | undefined;
  const management = () => {
    if (opened === undefined) throw new Error('management is not open yet');
    return opened;
  };
  beforeAll(async () => {
    opened = await openManagement();
  });
  beforeEach(() => {
    management().checked.length = 0;
    management().answerChecks(async () => ({ source_mapping: {}, warnings: [] }));
  });
  afterAll(() => management().close());

  const call: Management['call'] = (...request) => management().call(...request);
  return {
    management,
    call,
    async create(fields: object = {}) {
      const draft = { name: `endpoint-${randomUUID()}`, query: 'select 1 as one', ...fields };
      const answer = await call('POST', '/api/endpoints', draft);
      expect(answer).toMatchObject({ status: 201 });
      const { warnings, ...endpoint } = answer.body;
      management().checked.length = 0;
      return endpoint as Shown;
    },
    async show(token: string) {
      return (await call('GET', `/api/endpoints/${token}`)).body;
    },
  };
}
