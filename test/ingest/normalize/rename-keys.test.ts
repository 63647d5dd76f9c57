import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyNames, renameKey } from '../../../src/ingest/normalize/rename-keys.ts';

test.each([
  ['test-field', '_test_field'],
  ['a-b-c', '_a_b_c'],
  ['--', '___'],
  ['foo!', '_foo_'],
  ['x.y', '_x_y'],
  ['a b', '_a_b'],
  ['1foo', '_1foo'],
  ['1-key', '_1_key'],
  ['1key!', '__1key_'],
  ['a-b!', '__a_b_'],
  ['1-key!', '__1_key_'],
  ['@timestamp', '__timestamp'],
  ['service.name', '_service_name'],
  ['é', '__'],
  ['1é', '__1_'],
  ['😀', '__'],
  ['\ud800', '__'],
  ['_TABLE_', '__TABLE_'],
  ['_TABLE_x', '__TABLE_x'],
  ['_FILE_x', '__FILE_x'],
  ['_PARTITIONx', '__PARTITIONx'],
  ['_ROW_TIMESTAMP', '__ROW_TIMESTAMP'],
  ['__ROOT__x', '___ROOT__x'],
  ['_COLIDENTIFIER', '__COLIDENTIFIER'],
  ['_CHANGE_SEQUENCE_NUMBER', '__CHANGE_SEQUENCE_NUMBER'],
  ['_CHANGE_TYPE', '__CHANGE_TYPE'],
  ['_CHANGE_TIMESTAMP', '__CHANGE_TIMESTAMP'],
  ['_TABLE_-foo', '___TABLE__foo'],
  ['_TABLE_a!', '___TABLE_a_'],
  ['_TABLE_1foo', '__TABLE_1foo'],
  ['x_TABLE_y', 'x_TABLE_y'],
  ['_table_x', '_table_x'],
  ['', ''],
  ['Camel_Case9', 'Camel_Case9'],
  ['__proto__', '__proto__'],
  ['a'.repeat(128), 'a'.repeat(128)],
  ['a'.repeat(129), `_${'a'.repeat(128)}`],
  ['a'.repeat(500), `_${'a'.repeat(128)}`],
  [`${'a'.repeat(127)}-`, `__${'a'.repeat(127)}`],
])('%j is stored as %j', (key, name) => {
  expect(renameKey(key)).toBe(name);
});

const anyKey = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[-_.!A-Z1a]{0,140}$/));

test('a name holds letters, digits and underscores only, and at most 129 bytes', () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      expect(renameKey(key)).toMatch(/^[A-Za-z0-9_]{0,129}$/);
    }),
  );
});

test('a name does not begin with a digit', () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      expect(renameKey(key)).not.toMatch(/^[0-9]/);
    }),
  );
});

test('a name is its own name, unless it was cut or came to begin with a reserved prefix', () => {
  const reserved = /^_(?:TABLE_|FILE_|PARTITION|ROW_TIMESTAMP|_ROOT__|COLIDENTIFIER|CHANGE_)/;
  fc.assert(
    fc.property(anyKey, (key) => {
      const name = renameKey(key);
      fc.pre(name.length <= 128 && !reserved.test(name));
      expect(renameKey(name)).toBe(name);
    }),
  );
});

test('remembered names are the same names', () => {
  const names = new KeyNames();
  fc.assert(
    fc.property(anyKey, (key) => {
      expect([names.nameOf(key), names.nameOf(key)]).toEqual([renameKey(key), renameKey(key)]);
    }),
  );
});

test('names stay right past what is remembered', () => {
  const names = new KeyNames();
  for (let index = 0; index < 25_000; index++) names.nameOf(`key-${index}`);
  expect(names.nameOf('key-1')).toBe('_key_1');
});
