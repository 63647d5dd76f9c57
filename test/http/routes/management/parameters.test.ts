import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invalid, type Management, openManagement } from './support.ts';

let management: Management;

beforeAll(async () => {
  management = await openManagement();
});

afterAll(() => management.close());

const post = (parameters: unknown) =>
  management.call('POST', '/api/endpoints', {
    name: `endpoint-${randomUUID()}`,
    query: 'q',
    parameters,
  });

test('parameters are optional texts unless they say otherwise', async () => {
  const { body } = await post([{ name: 'project' }]);

  expect(body.parameters).toEqual([{ name: 'project', type: 'string', required: false }]);
});

test.each([
  { name: 'a', type: 'string', enum: ['x', 'y'], default: 'y' },
  { name: 'a', type: 'string', default: '' },
  { name: 'a', type: 'int64', enum: [1, 2], default: 2 },
  { name: 'a', type: 'int64', default: '9223372036854775807' },
  { name: 'a', type: 'float64', default: 0.5, enum: [0.5, 1] },
  { name: 'a', type: 'bool', default: false },
  { name: 'a', type: 'timestamp', default: '2026-01-31T08:30:00Z' },
  { name: 'a', type: 'timestamp', default: 1_767_225_600_000_000 },
  { name: '_A1', type: 'string', description: 'what it is' },
])('a parameter may be %j', async (parameter) => {
  const { status, body } = await post([{ required: false, ...parameter }]);

  expect({ status, parameters: body.parameters }).toEqual({
    status: 201,
    parameters: [{ required: false, ...parameter }],
  });
});

test.each([
  ['not a list', {}, 'is invalid'],
  ['no objects', ['project'], '0 is invalid'],
  [
    'with fields that do not exist',
    [{ name: 'a', requird: true, whatever: 1 }],
    '0 requird is not a known field; did you mean required?, whatever is not a known field',
  ],
  ['without a name', [{}], "0.name can't be blank"],
  ['with an empty name', [{ name: '' }], "0.name can't be blank"],
  ['no name for a query', [{ name: 'a-b' }], '0.name is invalid'],
  ['named as an input of every call', [{ name: 'SQL' }], '0.name is reserved'],
  ['named twice', [{ name: 'a' }, { name: 'A' }], '1.name has already been taken'],
  ['of another type', [{ name: 'a', type: 'date' }], '0.type is invalid'],
  ['required in words', [{ name: 'a', required: 'yes' }], '0.required is invalid'],
  ['with an empty enum', [{ name: 'a', enum: [] }], '0.enum should have at least %{count} item(s)'],
  ['with an enum of objects', [{ name: 'a', enum: [{}] }], '0.enum.0 is invalid'],
  ['with an enum of another type', [{ name: 'a', enum: ['x', 1] }], '0.enum.1 must be text'],
  [
    'with a default of another type',
    [{ name: 'a', type: 'float64', default: 'x' }],
    '0.default must be a number',
  ],
  [
    'with a text for a boolean',
    [{ name: 'a', type: 'bool', default: 'perhaps' }],
    '0.default must be true or false',
  ],
  [
    'with a default beside the enum',
    [{ name: 'a', enum: ['x'], default: 'y' }],
    '0.default is not one of the enum',
  ],
  [
    'with a long description',
    [{ name: 'a', description: 'x'.repeat(1_001) }],
    '0.description should be at most %{count} character(s)',
  ],
  [
    'too many',
    Array.from({ length: 101 }, (_, i) => ({ name: `a${i}` })),
    'should have at most %{count} item(s)',
  ],
])('parameters that are %s are refused', async (_, parameters, message) => {
  expect(await post(parameters)).toEqual(invalid({ parameters: [message] }));
});

test('defaults beyond what a number holds exactly are refused rather than rounded', async () => {
  const answer = await post([{ name: 'a', type: 'int64', default: 2 ** 53 }]);

  expect(answer).toMatchObject(
    invalid({ parameters: [expect.stringContaining('0.default must be a whole number')] }),
  );
});
