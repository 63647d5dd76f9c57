import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { ruleBench } from './rules-support.ts';
import { invalid, type Management, NO_CONTENT, NOT_FOUND, type Shown } from './support.ts';

const bench = ruleBench();
const call: Management['call'] = (...request) => bench().management.call(...request);
const draft = (fields?: object) => bench().draft(fields);
const create = (fields?: object) => bench().create(fields);
const createSource = () => bench().createSource();
const rulesOf = (token: string) => bench().rulesOf(token);

let source: Shown;
let sink: Shown;
beforeEach(() => {
  ({ source, sink } = bench());
});

describe('changing a rule', () => {
  test('by PUT answers with the rule, and leaves alone what was not sent', async () => {
    const rule = await create();

    const answer = await call('PUT', `/api/rules/${rule.token}`, { lql_string: 'b:2' });

    expect(answer).toEqual({ status: 200, body: { ...rule, lql_string: 'b:2' } });
    expect(await rulesOf(source.token)).toEqual([answer.body]);
  });

  test('by PATCH answers without a body', async () => {
    const [rule, other] = [await create(), await createSource()];

    const answer = await call('PATCH', `/api/rules/${rule.token}`, { sink: other.token });

    expect(answer).toEqual(NO_CONTENT);
    expect(await rulesOf(source.token)).toEqual([{ ...rule, sink: other.token }]);
  });

  test('moves it to another source', async () => {
    const [rule, other] = [await create(), await createSource()];

    await call('PUT', `/api/rules/${rule.token}`, { source_id: other.token });

    expect(await rulesOf(source.token)).toEqual([]);
    expect(await rulesOf(other.token)).toEqual([{ ...rule, source_id: other.token }]);
  });

  test('finishes a move that broke off', async () => {
    const [rule, other] = [await create(), await createSource()];
    const { registry } = bench().management;
    const holder = await registry.sourceByToken(source.token, { fresh: true });
    const target = await registry.sourceByToken(other.token, { fresh: true });
    if (holder && target) await registry.updateSource({ ...target, rules: holder.rules });

    await call('PUT', `/api/rules/${rule.token}`, { source_id: other.token });

    expect(await rulesOf(source.token)).toEqual([]);
    expect(await rulesOf(other.token)).toEqual([{ ...rule, source_id: other.token }]);
  });

  test.each([
    ['lql_string', { lql_string: '' }, "can't be blank"],
    ['lql_string', { lql_string: 'a:' }, 'Error while parsing'],
    ['sink', { sink: null }, "can't be blank"],
  ])('of its %s to %j is refused', async (field, body, message) => {
    const rule = await create();

    expect(await call('PUT', `/api/rules/${rule.token}`, body)).toEqual({
      status: 422,
      body: { errors: { [field]: [expect.stringContaining(message)] } },
    });
  });

  test('so that its source becomes its sink is refused', async () => {
    const rule = await create();

    expect(await call('PUT', `/api/rules/${rule.token}`, { source_id: sink.token })).toEqual(
      invalid({ sink: ['cannot be the source itself'] }),
    );
  });

  test.each([
    ['source', () => ({ source_id: randomUUID() })],
    ['sink', () => ({ sink: randomUUID() })],
    ['backend', () => ({ backend_id: 7 })],
  ])('166 to a %s that does not exist changes nothing', async (_, fields) => {
    const rule = await create();

    expect(await call('PUT', `/api/rules/${rule.token}`, fields())).toEqual(NOT_FOUND);
    expect(await rulesOf(source.token)).toEqual([rule]);
  });
});

test('a deleted rule is gone', async () => {
  const [rule, kept] = [await create(), await create()];

  expect(await call('DELETE', `/api/rules/${rule.token}`)).toEqual(NO_CONTENT);

  expect(await call('GET', `/api/rules/${rule.token}`)).toEqual(NOT_FOUND);
  expect(await call('DELETE', `/api/rules/${rule.token}`)).toEqual(NOT_FOUND);
  expect(await rulesOf(source.token)).toEqual([kept]);
});

test('a rule that does not exist is neither shown nor changed', async () => {
  const path = `/api/rules/${randomUUID()}`;

  expect(await call('GET', path)).toEqual(NOT_FOUND);
  expect(await call('PUT', path, { lql_string: 'a:1' })).toEqual(NOT_FOUND);
  expect(await call('PATCH', '/api/rules/none', { lql_string: 'a:1' })).toEqual(NOT_FOUND);
});

test('rules go with their source, and stay when their sink is deleted', async () => {
  const rule = await create();

  await call('DELETE', `/api/sources/${sink.token}`);
  expect(await rulesOf(source.token)).toEqual([rule]);

  await call('DELETE', `/api/sources/${source.token}`);
  expect(await call('GET', `/api/rules/${rule.token}`)).toEqual(NOT_FOUND);
});

test('a rule and a change of its source do not lose each other', async () => {
  const rule = await create();

  await call('PUT', `/api/sources/${source.token}`, { description: 'changed' });
  const answers = await Promise.all([
    call('POST', '/api/rules', draft({ lql_string: 'b:2' })),
    call('POST', '/api/rules', draft({ lql_string: 'b:3' })),
  ]);

  const created = answers.filter(({ status }) => status === 201).map(({ body }) => body);
  expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
  expect(new Set(await rulesOf(source.token))).toEqual(new Set([rule, ...created]));
});
