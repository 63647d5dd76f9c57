import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalid, type Management, openManagement } from './support.ts';

let management: Management;
let source: string;
let sink: string;

beforeAll(async () => {
  management = await openManagement();
  [source = '', sink = ''] = await Promise.all(
    ['from', 'to'].map(async (name) => {
      const { body } = await management.call('POST', '/api/sources', { name });
      return body.token;
    }),
  );
});

afterAll(() => management.close());

const call: Management['call'] = (...request) => management.call(...request);

/** What it takes to make one of each. */
const drafts = {
  sources: () => ({ name: randomUUID().slice(1) }),
  endpoints: () => ({ name: randomUUID().slice(1), query: 'select 1' }),
  rules: () => ({ source_id: source, sink, lql_string: 'a:1' }),
  'access-tokens': () => ({ scopes: 'query' }),
};

describe.each(Object.entries(drafts))('/api/%s', (resource, draft) => {
  const path = `/api/${resource}`;

  test('refuses a field that nothing reads, in every verb', async () => {
    const { body } = await call('POST', path, draft());
    const fields = { descriptoin: 'for the shop' };

    const answers = [
      await call('POST', path, { ...draft(), ...fields }),
      await call('PUT', `${path}/${body.id}`, fields),
      await call('PATCH', `${path}/${body.id}`, fields),
    ];

    const near = resource === 'rules' ? '' : '; did you mean description?';
    const refused = invalid({ descriptoin: [`is not a known field${near}`] });
    expect(answers).toEqual([refused, refused, refused]);
  });

  test('takes back what it has answered, also when it is to make another one', async () => {
    const { body } = await call('POST', path, draft());

    const put = await call('PUT', `${path}/${body.id}`, body);
    const { id, token, ...rest } = { ...body, ...draft() };
    const post = await call('POST', path, rest);

    expect([put.status, post.status]).toEqual([200, 201]);
  });
});

test("a source takes the fields of Logflare's sources, and keeps those that it has", async () => {
  const { status, body } = await call('POST', '/api/sources', {
    name: 'shop.logflare',
    favorite: true,
    service_name: 'shop',
    lock_schema: true,
    validate_schema: false,
    notifications: { team_user_ids_for_email: [] },
    'default_ingest_backend_enabled?': false,
    bigquery_table_ttl: 3,
    retention_days: 7,
  });

  expect(status).toBe(201);
  expect(body).toMatchObject({ name: 'shop.logflare', retention_days: 7 });
  expect(body).not.toHaveProperty('favorite');
});

test('a misspelt setting of a source names the one that was meant', async () => {
  const answer = await call('POST', '/api/sources', { name: 'shop.days', retention_dayz: 7 });

  expect(answer).toEqual(
    invalid({ retention_dayz: ['is not a known field; did you mean retention_days?'] }),
  );
});

test('wrong fields are told beside unknown ones, of which twenty are', async () => {
  const unknown = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`field_${index}`, 1]),
  );

  const { status, body } = await call<{ errors: Record<string, string[]> }>(
    'POST',
    '/api/sources',
    { name: 7, ...unknown },
  );

  expect(status).toBe(422);
  expect(Object.keys(body.errors)).toHaveLength(21);
  expect(body.errors.name).toEqual(['is invalid']);
});
