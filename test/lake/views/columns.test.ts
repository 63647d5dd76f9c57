import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import type { SourceSchema } from '../../../src/catalog/source-schema.ts';
import { LANDING_COLUMNS, SLOT_COUNT } from '../../../src/lake/layout/columns.ts';
import { ABANDONED_TEXT, DOCUMENTED_NUMBER, JsonType } from '../../../src/lake/schema/schema.ts';
import { sourceView } from '../../../src/lake/views/source-views.ts';
import { replaceStatement } from '../../../src/lake/views/view.ts';

const SOURCE = 'aaaaaaaa-0000-4000-8000-000000000001';

/** The fields of a view by name, with their types, and the values of one row. */
async function fieldsOf(
  schema: SourceSchema,
  row: Readonly<Record<string, string>> = {},
): Promise<{ name: string; type: string; value: unknown }[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  const values = { source_id: SOURCE, ...row };
  const columns = LANDING_COLUMNS.filter(({ name }) => name !== 'source_id');
  // Not the engine of the views, which has the function under this name.
  await connection.run('CREATE MACRO json_extract_scalar(j, p) AS json_extract_string(j, p)');
  await connection.run(
    `CREATE TABLE events (source_id varchar, dt date, hour integer, ${columns.map(({ name }) => `"${name}" varchar`)})`,
  );
  await connection.run(
    `INSERT INTO events (${Object.keys(values)}) VALUES (${Object.values(values).map((text) => `'${text}'`)})`,
  );
  await connection.run(replaceStatement(sourceView('edge', SOURCE, schema)));
  const reader = await connection.runAndReadAll('FROM edge');
  const [cells = []] = reader.getRowsJS();
  const all = reader.columnNames().map((name, i) => ({
    name,
    type: String(reader.columnTypes()[i]),
    value: cells[i],
  }));
  connection.closeSync();
  expect(all.splice(0, 5).map(({ name }) => name)).toEqual([
    'id',
    'timestamp',
    'timestamp_us',
    'event_message',
    'project',
  ]);
  expect(all.splice(-5).map(({ name }) => name)).toEqual([
    'metadata',
    'body',
    'ingested_at',
    'dt',
    'hour',
  ]);
  return all;
}

const named = async (...slots: string[]) =>
  (await fieldsOf({ types: {}, slots })).map(({ name }) => name);

test('each path with slots is a column of the type that its events have shown', async () => {
  const schema = {
    types: {
      level: JsonType.string,
      'metadata.response.status_code': JsonType.int,
      'metadata.took': JsonType.int | JsonType.float,
      'metadata.cached': JsonType.bool,
    },
    slots: [
      'level=string',
      'metadata=object',
      'metadata.response=object',
      'metadata.response.status_code=number',
      'metadata.took=number',
      'metadata.cached=boolean',
    ],
  };
  const row = { s000: 'info', s001: '{}', s002: '{}', s003: '9007199254740993', s004: '1e3' };

  expect(await fieldsOf(schema, { ...row, s005: 'false' })).toEqual([
    { name: 'level', type: 'VARCHAR', value: 'info' },
    { name: 'response_status_code', type: 'BIGINT', value: 9_007_199_254_740_993n },
    { name: 'took', type: 'DOUBLE', value: 1_000 },
    { name: 'cached', type: 'BOOLEAN', value: false },
  ]);
});

test('a path that has shown several types is text, whichever slot has the value', async () => {
  const schema = {
    types: { 'metadata.code': JsonType.string | JsonType.int | JsonType.list | JsonType.object },
    slots: ['metadata.code=object', 'metadata.code=string', 'metadata.code=number'],
  };

  expect(await fieldsOf(schema, { s002: '7' })).toEqual([
    { name: 'code', type: 'VARCHAR', value: '7' },
  ]);
  expect(await fieldsOf(schema, { s001: 'E7' })).toMatchObject([{ value: 'E7' }]);
  expect(await fieldsOf(schema)).toMatchObject([{ value: null }]);
});

test('a path that is documented to hold numbers stays a number, whatever text an event has shown', async () => {
  const schema = {
    types: {
      'metadata.status': JsonType.int | DOCUMENTED_NUMBER | JsonType.string,
      'metadata.took': JsonType.float | DOCUMENTED_NUMBER | ABANDONED_TEXT,
    },
    slots: ['metadata.status=number', 'metadata.took=number', 'metadata.status=string'],
  };

  expect(await fieldsOf(schema, { s000: '404', s001: '1.5' })).toEqual([
    { name: 'status', type: 'BIGINT', value: 404n },
    { name: 'took', type: 'DOUBLE', value: 1.5 },
  ]);
  expect(await fieldsOf(schema, { s002: '500' })).toMatchObject([{ value: 500n }, {}]);
  expect(await fieldsOf(schema, { s002: 'oops' })).toMatchObject([{ value: null }, {}]);
});

test('a type that came when no slot was left is read from the JSON', async () => {
  const schema = {
    types: {
      'metadata.a.b': JsonType.string | JsonType.int,
      code: JsonType.string | JsonType.bool,
    },
    slots: ['metadata.a.b=string', 'code=string'],
  };

  expect(
    await fieldsOf(schema, { metadata: '{"a":{"b":7}}', body: '{"code":true}' }),
  ).toMatchObject([
    { name: 'a_b', type: 'VARCHAR', value: '7' },
    { name: 'code', type: 'VARCHAR', value: 'true' },
  ]);
});

test('a text that was too long for its slot is read from the JSON', async () => {
  const schema = {
    types: { 'metadata.stack': JsonType.string | ABANDONED_TEXT },
    slots: ['metadata.stack=string'],
  };

  expect(await fieldsOf(schema, { metadata: '{"stack":"long"}' })).toEqual([
    { name: 'stack', type: 'VARCHAR', value: 'long' },
  ]);
  expect(await fieldsOf(schema, { s000: 'short' })).toMatchObject([{ value: 'short' }]);
});

test('a column is called like its path below metadata, in lower case', async () => {
  expect(await named('metadata.request.cf.Country=string', 'Level=string', '_1st=string')).toEqual([
    'request_cf_country',
    'level',
    '_1st',
  ]);
});

test('a name that is taken becomes the whole path, and then ends with the slot', async () => {
  expect(
    await named(
      'level=string',
      'metadata.level=string',
      'metadata.project=string',
      'project=number',
      'metadata.Level=string',
      'a.b=string',
      'a_b=string',
      'metadata.source_id=string',
    ),
  ).toEqual([
    'level',
    'metadata_level',
    'metadata_project',
    'project_s003',
    'metadata_level_s004',
    'a_b',
    'a_b_s006',
    'metadata_source_id',
  ]);
});

test('fields that are called like slots take no name away', async () => {
  expect(await named('s001=string', 's002_s001=string', 'dt_s003=string', 'dt=string')).toEqual([
    's001_s000',
    's002_s001',
    'dt_s003',
    's003',
  ]);
});

test('a path that later gets another slot, and paths that come later, change no name', async () => {
  const first = ['metadata.level=string', 'metadata.code=number'];

  expect(await named(...first)).toEqual(['level', 'code']);
  expect(await named(...first, 'level=string', 'metadata.level=number', 'code=object')).toEqual([
    'level',
    'code',
    'level_s002',
  ]);
});

test('the longest paths have names that Glue takes, and a statement that Athena takes', () => {
  const slots = Array.from({ length: SLOT_COUNT }, (_, i) => {
    const path = `metadata.${'x'.repeat(120)}.${'y'.repeat(120)}.${'z'.repeat(120)}.${'u'.repeat(100)}`;
    return `${path}${String(i).padStart(3, '0')}=string`;
  });
  const mask = JsonType.string | JsonType.int;
  const types = Object.fromEntries(slots.map((entry) => [entry.split('=')[0], mask]));

  const statement = replaceStatement(sourceView('edge', SOURCE, { types, slots }));

  expect(Buffer.byteLength(statement)).toBeLessThan(262_144);
  const names = [...statement.matchAll(/ AS "(\w+)"/g)].map(([, name = '']) => name);
  expect(new Set(names).size).toBe(SLOT_COUNT);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(255);
});
