import {
  caseWhen,
  coalesce,
  concat,
  constant,
  isNull,
  structField,
} from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { DYNAMIC, STRING, typeName } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example } from '../common/doc.ts';
import { both, type CustomBoundFunction, type FunctionCall } from '../common/function.ts';
import { JSON_AS_SENT } from './json-text.ts';

const doc = docsFrom('JSON functions');
const NULL_TEXT = constant(STRING, 'null');

/** A TIMESTAMP's or DATETIME's text as a JSON string, as in `2026-02-03T10:20:30Z`. */
const TIME: ScalarFunction = {
  name: 'to_json_string',
  ...both(([text]) => `('"' || REPLACE(REPLACE(${text}, ' ', 'T'), '+00', 'Z') || '"')`),
};

/** An INT64 as JSON: a number as far as all readers of JSON have it exactly, and a string beyond. */
const integer = (value: string): string =>
  `CASE WHEN ${value} BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(${value} AS VARCHAR) ELSE '"' || CAST(${value} AS VARCHAR) || '"' END`;

const INTEGER: ScalarFunction = { name: 'to_json_string', ...both(([n = '']) => integer(n)) };

const INTEGERS: ScalarFunction = {
  name: 'to_json_string',
  athena: ([array]) =>
    `('[' || ARRAY_JOIN(TRANSFORM(${array}, item -> ${integer('item')}), ',', 'null') || ']')`,
  duckdb: ([array]) =>
    `('[' || CASE WHEN LEN(${array}) = 0 THEN '' ELSE ARRAY_TO_STRING(LIST_TRANSFORM(${array}, LAMBDA item: COALESCE(${integer('item')}, 'null')), ',') END || ']')`,
};

/** A value as JSON text, STRING; never NULL. */
function jsonText(value: Expr, call: FunctionCall): Expr {
  switch (value.type.kind) {
    case 'null':
      return NULL_TEXT;
    case 'struct':
      return structText(value, value.type.fields, call);
    case 'array':
      if (['struct', 'timestamp', 'datetime'].includes(value.type.of.kind)) {
        throw call.fail(`TO_JSON_STRING of ${typeName(value.type)} is not supported`);
      }
      return value.type.of.kind === 'int64'
        ? orNull({ op: 'call', type: STRING, fn: INTEGERS, args: [value] })
        : asSent(arrayText(value));
    case 'dynamic':
      return asSent(value);
    case 'string':
      return asSent(call.coerce(value, DYNAMIC));
    case 'int64':
      return orNull({ op: 'call', type: STRING, fn: INTEGER, args: [value] });
    case 'timestamp':
    case 'datetime':
      return orNull({ op: 'call', type: STRING, fn: TIME, args: [call.cast(value, STRING)] });
    default:
      return orNull(asString(call.coerce(value, DYNAMIC)));
  }
}

/** A STRUCT is printed as a list of its members; here they get their names. */
function structText(
  value: Expr,
  fields: readonly { readonly name: string; readonly type: Expr['type'] }[],
  call: FunctionCall,
): Expr {
  const members = fields.map(({ name, type }, index): Expr[] => {
    const key = `${index === 0 ? '{' : ','}${JSON.stringify(name || `_field_${index + 1}`)}:`;
    return [constant(STRING, key), jsonText(structField(value, index, type), call)];
  });
  const text = concat([...members.flat(), constant(STRING, fields.length === 0 ? '{}' : '}')]);
  return value.op === 'struct'
    ? text
    : caseWhen([{ when: isNull(value), result: NULL_TEXT }], text, STRING);
}

/** Arrays have a JSON text as members of a STRUCT. */
function arrayText(array: Expr): Expr {
  const fields = [{ name: '', type: array.type }];
  const text: Expr = { op: 'struct', type: { kind: 'struct', fields }, items: [array] };
  return { op: 'json_path', type: DYNAMIC, text, path: [0] };
}

const asString = (json: Expr): Expr => ({ op: 'cast', type: STRING, arg: json, safe: false });
const orNull = (text: Expr): Expr => coalesce([text, NULL_TEXT], STRING);

function asSent(json: Expr): Expr {
  return orNull({ op: 'call', type: STRING, fn: JSON_AS_SENT, args: [asString(json)] });
}

export const TO_JSON_STRING: CustomBoundFunction = {
  name: 'to_json_string',
  takes: [1, 1],
  noMore: 'it does not indent here',
  doc: doc(
    'TO_JSON_STRING(value T) -> STRING',
    'The value as compact JSON text; the text `null` for NULL. An INT64 beyond 2^53, which readers of JSON may round, is a string. An ARRAY of STRUCTs or times is not supported.',
    [
      example(`TO_JSON_STRING('say "hi" 😀')`, '"say \\"hi\\" 😀"'),
      example('TO_JSON_STRING(1)', '1'),
      example('TO_JSON_STRING(9007199254740993)', '"9007199254740993"'),
      example('TO_JSON_STRING([-9007199254740993, 2, NULL])', '["-9007199254740993",2,null]'),
      example('TO_JSON_STRING(GENERATE_ARRAY(1, 2))', '[1,2]'),
      example('TO_JSON_STRING(GENERATE_ARRAY(2, 1))', '[]'),
      example('TO_JSON_STRING(GENERATE_ARRAY(1, NULL))', 'null'),
      example("TO_JSON_STRING(TIMESTAMP '2026-02-03 10:20:30.5')", '"2026-02-03T10:20:30.500Z"'),
      example(
        `TO_JSON_STRING(PARSE_JSON('{"a": [12345678.5, 0.0001], "b": "1.0E7"}'))`,
        '{"a":[12345678.5,0.0001],"b":"1.0E7"}',
      ),
      example(
        "TO_JSON_STRING(STRUCT(1 AS a, STRUCT('x' AS c) AS b, [1, NULL] AS d))",
        '{"a":1,"b":{"c":"x"},"d":[1,null]}',
      ),
      aggregateExample('[1.5, NULL]', 'STRING_AGG(TO_JSON_STRING(x) ORDER BY x)', 'null,1.5'),
    ],
  ),
  bind: (call) => jsonText(call.arg(0), call),
};
