import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { ruleBench } from './rules-support.ts';
import { invalid, type Management, NOT_FOUND, type Shown, UUID } from './support.ts';

const bench = ruleBench();
const call: Management['call'] = (...request) => bench().management.call(...request);
const draft = (fields?: object) => bench().draft(fields);
const create = (fields?: object) => bench().create(fields);
const rulesOf = (token: string) => bench().rulesOf(token);

let source: Shown;
let sink: Shown;
beforeEach(() => {
  ({ source, sink } = bench());
});

describe('creating a rule', () => {
  test('answers with all of its fields', async () => {
    const answer = await call('POST', '/api/rules', draft());

    expect(answer).toEqual({
      status: 201,
      body: {
        id: answer.body.token,
        token: expect.stringMatching(UUID),
        source_id: source.token,
        lql_string: 'level:error',
        sink: sink.token,
      },
    });
  });

  test('takes tokens in any case', async () => {
    const { sink: shown } = await create({ sink: sink.token.toUpperCase() });

    expect(shown).toBe(sink.token);
  });

  test.each([
    ['nothing', {}, ['source_id', 'lql_string', 'sink'], "can't be blank"],
    [
      'nulls',
      { source_id: null, lql_string: null, sink: null },
      ['source_id', 'lql_string', 'sink'],
      "can't be blank",
    ],
    [
      'numbers',
      { source_id: 1, lql_string: 2, sink: 3 },
      ['source_id', 'lql_string', 'sink'],
      'is invalid',
    ],
  ])('from %s is refused', async (_, body, fields, message) => {
    const errors = Object.fromEntries(fields.map((field) => [field, [message]]));

    expect(await call('POST', '/api/rules', body)).toEqual(invalid(errors));
  });

  test.each([
    ['blank', '  ', "can't be blank"],
    ['no filter', 's:id', 'A filter is missing'],
    ['no LQL', 'a:1 b:', '(line 1, column 7)'],
    ['no pattern', 'a:~"["', 'The pattern is wrong'],
    ['long', `a:${'x'.repeat(1000)}`, 'should be at most %{count} character(s)'],
  ])('from LQL that is %s is refused', async (_, lql_string, message) => {
    expect(await call('POST', '/api/rules', draft({ lql_string }))).toEqual({
      status: 422,
      body: { errors: { lql_string: [expect.stringContaining(message)] } },
    });
  });

  test('with the source as its own sink is refused', async () => {
    expect(await call('POST', '/api/rules', draft({ sink: source.token }))).toEqual(
      invalid({ sink: ['cannot be the source itself'] }),
    );
  });

  test.each([
    ['a source', () => ({ source_id: randomUUID() })],
    ['a sink', () => ({ sink: randomUUID() })],
    ['a sink by name', () => ({ sink: sink.name })],
    ['a backend', () => ({ backend_id: 1 })],
  ])('with %s that does not exist is not found', async (_, fields) => {
    expect(await call('POST', '/api/rules', draft(fields()))).toEqual(NOT_FOUND);
    expect(await rulesOf(source.token)).toEqual([]);
  });

  test('is refused once a source has a hundred', async () => {
    const hundred = Array.from({ length: 100 }, () => draft());
    expect((await call('POST', '/api/rules', hundred)).status).toBe(201);

    expect(await call('POST', '/api/rules', draft())).toEqual(
      invalid({ source_id: ['has 100 rules, and that is the most'] }),
    );
  });

  test('is refused where the body is neither an object nor a list', async () => {
    expect(await call('POST', '/api/rules', 'text')).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    });
  });
});

describe('a list of rules', () => {
  test('is created rule by rule', async () => {
    const answer = await call('POST', '/api/rules', [draft(), draft({ lql_string: 'b:2' })]);

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      errors: [],
      results: [{ lql_string: 'level:error' }, { lql_string: 'b:2' }],
    });
    expect(await rulesOf(source.token)).toHaveLength(2);
  });

  test('165 in part is answered with both what is wrong and what was created', async () => {
    const answer = await call('POST', '/api/rules', [
      draft(),
      { source_id: source.token, sink: sink.token },
      draft({ sink: randomUUID() }),
      'text',
    ]);

    expect(answer).toEqual({
      status: 400,
      body: {
        errors: [
          "lql_string can't be blank",
          'the source or the sink does not exist',
          'rule must be a JSON object',
        ],
        results: await rulesOf(source.token),
      },
    });
    expect(await rulesOf(source.token)).toHaveLength(1);
  });

  test('is bounded', async () => {
    const answer = await call(
      'POST',
      '/api/rules',
      Array.from({ length: 101 }, () => draft()),
    );

    expect(answer).toEqual({
      status: 400,
      body: { errors: ['has more than 100 rules'], results: [] },
    });
  });

  test('may be empty', async () => {
    expect(await call('POST', '/api/rules', [])).toEqual({
      status: 201,
      body: { errors: [], results: [] },
    });
  });
});

describe('rules are shown', () => {
  test('all, and one by one', async () => {
    const rule = await create();

    expect(await rulesOf(source.token)).toEqual([rule]);
    expect(await call('GET', `/api/rules/${rule.token.toUpperCase()}`)).toEqual({
      status: 200,
      body: rule,
    });
  });

  test('but not with their source', async () => {
    await create();

    expect((await call('GET', `/api/sources/${source.token}`)).body).not.toHaveProperty('rules');
  });

  test.each(['backend_id=1', `backend_token=${randomUUID()}`])(
    'and none of a backend: %s',
    async (query) => {
      expect(await call('GET', `/api/rules?${query}`)).toEqual(NOT_FOUND);
    },
  );
});

test('only keys with the scope private manage rules', async () => {
  for (const [method, path] of [
    ['GET', '/api/rules'],
    ['POST', '/api/rules'],
    ['DELETE', `/api/rules/${randomUUID()}`],
  ] as const) {
    expect((await call(method, path, undefined, 'no key')).status).toBe(401);
  }
});
