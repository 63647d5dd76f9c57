import { constant, isConst, isNullConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr, JsonStep } from '../../ir/ir.ts';
import { DYNAMIC, STRING } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example } from '../common/doc.ts';
import { both, type CustomBoundFunction, type FunctionCall } from '../common/function.ts';
import { JSON_AS_SENT } from './json-text.ts';

const doc = docsFrom('JSON functions');

/** Further than any list goes, and what engines can read in a path. */
const MAX_PLACE = 2 ** 31 - 1;

/** `$`, `$.a.b`, `$['a']`, `$[0]`: the paths of BigQuery's JSON functions. */
function parseJsonPath(path: string): JsonStep[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const parts: JsonStep[] = [];
  const step = /\.(?:"([^"]*)"|([A-Za-z0-9_$@-]+))|\[(?:'([^']*)'|"([^"]*)"|(\d+))\]/y;
  let at = 1;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) return undefined;
    const index = match[5];
    parts.push(
      index === undefined
        ? (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
        : Math.min(Number(index), MAX_PLACE),
    );
    at = step.lastIndex;
  }
  return parts;
}

function pathOf(call: FunctionCall): JsonStep[] {
  if (call.count < 2) return [];
  const path = call.argAs(1, STRING);
  const parts =
    isConst(path) && typeof path.value === 'string' ? parseJsonPath(path.value) : undefined;
  if (parts === undefined) {
    throw call.fail("The path must be a literal such as '$.field' or '$.list[0].field'");
  }
  return parts;
}

/** What lies at the path: a scalar as text, or whatever it is as JSON. */
function read(call: FunctionCall, value: Expr, type: typeof STRING): Expr {
  const path = pathOf(call);
  if (value.op === 'json') {
    return { op: 'json_path', type, text: value.text, path: [...value.path, ...path] };
  }
  if (value.type.kind === 'dynamic') return { op: 'json_path', type, text: value, path };
  const text = call.coerce(value, STRING);
  if (isNullConst(text)) return constant(type, null);
  return type.kind === 'dynamic' && path.length === 0
    ? { op: 'call', type, fn: WHOLE, args: [text] }
    : { op: 'json_path', type, text, path };
}

/** JSON as text; NULL for JSON's null. */
function asText(json: Expr): Expr {
  if (isConst(json)) return constant(STRING, null);
  const text: Expr = { op: 'cast', type: STRING, arg: json, safe: false };
  const sent: Expr = { op: 'call', type: STRING, fn: JSON_AS_SENT, args: [text] };
  return { op: 'call', type: STRING, fn: NOT_NULL, args: [sent] };
}

const NOT_NULL: ScalarFunction = {
  name: 'json_query',
  // DuckDB's NULLIF is a macro of the same text, which doubles where no budget sees it.
  ...both(([text]) => `CASE WHEN ${text} <> 'null' THEN ${text} END`),
};

/** The whole of a text as JSON; NULL where it is none, as for any path in it. */
const WHOLE: ScalarFunction = {
  name: 'json_query',
  athena: ([text]) => `TRY(JSON_FORMAT(JSON_PARSE(${text})))`,
  duckdb: ([text]) => `CASE WHEN JSON_VALID(${text}) THEN CAST(JSON(${text}) AS VARCHAR) END`,
};

/** PARSE_JSON fails on what is no JSON. */
const PARSE: ScalarFunction = {
  name: 'parse_json',
  athena: ([text]) => `JSON_FORMAT(JSON_PARSE(${text}))`,
  // The cast checks the text and keeps it as it is.
  duckdb: ([text]) => `CAST(CAST(${text} AS JSON) AS VARCHAR)`,
};

const PATH_RULE =
  "The path is a literal such as '$.list[0].field' and '$' if there is none; what it does not lead to is NULL, and so is a text that is no JSON.";

function scalar(name: string): CustomBoundFunction {
  return {
    name: name.toLowerCase(),
    takes: [1, 2],
    doc: doc(
      `${name}(json STRING or JSON[, path STRING]) -> STRING`,
      `The string, number or boolean at a path, as text; NULL for an object, an array and null. ${PATH_RULE}`,
      [
        example(`${name}('{"a": {"b": 1}}', '$.a.b')`, '1'),
        example(`${name}('["x", "y"]', '$[1]')`, 'y'),
        example(`${name}('{"a": {}}', '$.a')`, null),
        example(`${name}('{"a": null}', '$.a')`, null),
        example(`${name}('{"a": "\\u00fc"}', '$.a')`, 'ü'),
      ],
    ),
    bind: (call) => read(call, call.arg(0), STRING),
  };
}

function json(name: string): CustomBoundFunction {
  return {
    name: name.toLowerCase(),
    takes: [1, 2],
    doc: doc(
      [
        `${name}(json JSON[, path STRING]) -> JSON`,
        `${name}(json STRING[, path STRING]) -> STRING`,
      ],
      `Whatever lies at a path: of JSON as JSON, of a text as compact JSON text. ${PATH_RULE}`,
      [
        example(`${name}('{"a": {"b": [1, 2]}}', '$.a.b')`, '[1,2]'),
        example(`${name}('{"a": "foo"}', '$.a')`, '"foo"'),
        example(`${name}(PARSE_JSON('{"a": {"b": [1, 2]}}'), '$.a.b')`, [1, 2]),
        example(`${name}('{"a": 1}', '$.b')`, null),
        example(`${name}('{"a": null}', '$.a')`, null),
        example(`${name}('no json', '$.a')`, null),
        example(`${name}('{"": [5, "x"]}', '$.""[1]')`, '"x"'),
        example(`${name}('{"a": [5, 6]}', '$.a."1"')`, '6'),
        aggregateExample(
          `['{"a": {"b": 1.5}}', NULL]`,
          `STRING_AGG(${name}(x, '$.a'))`,
          '{"b":1.5}',
        ),
      ],
    ),
    bind: (call) => {
      const value = call.arg(0);
      const json = read(call, value, DYNAMIC);
      return value.type.kind === 'dynamic' ? json : asText(json);
    },
  };
}

export const JSON_FUNCTIONS: readonly CustomBoundFunction[] = [
  scalar('JSON_VALUE'),
  scalar('JSON_EXTRACT_SCALAR'),
  json('JSON_QUERY'),
  json('JSON_EXTRACT'),
  {
    name: 'parse_json',
    takes: [1, 1],
    noMore: 'the mode for wide numbers is not supported',
    doc: doc('PARSE_JSON(text STRING) -> JSON', 'Reads a text as JSON. Another text is an error.', [
      example(`PARSE_JSON('{"a": [1, true, null]}')`, { a: [1, true, null] }),
      example("SAFE.PARSE_JSON('{')", null),
      example('PARSE_JSON(CAST(NULL AS STRING))', null),
    ]),
    bind: (call) => {
      const text = call.arg(0);
      return text.type.kind === 'dynamic'
        ? text
        : { op: 'call', type: DYNAMIC, fn: PARSE, args: [call.coerce(text, STRING)] };
    },
  },
];
