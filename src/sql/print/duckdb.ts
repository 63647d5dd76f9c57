import { quoteText } from '../../platform/sql-text.ts';
import { joinTexts } from '../functions/common/join-texts.ts';
import { failure } from '../functions/common/runtime-errors.ts';
import { civilFromUs, shortFraction, usFromCivil } from '../functions/time/civil.ts';
import type { JsonPath } from '../ir/ir.ts';
import type { SqlType } from '../ir/types.ts';
import { castText } from './cast-text.ts';
import { type Dialect, type JsonText, jsonPathLiteral, scalarTypeName } from './dialect.ts';
import { floatJson, floatText } from './float-text.ts';

function typeName(type: SqlType): string {
  return type.kind === 'array' ? `${typeName(type.of)}[]` : scalarTypeName(type);
}

const path = (parts: JsonPath): string => jsonPathLiteral(parts, 'duckdb');
/**
 * A text that is not JSON has nothing inside, as in BigQuery and Trino; DuckDB would fail. TRY parses it once
 * less, but hides every failure, also that of what computes the text.
 */
const valid = ({ text, isStored }: JsonText, then: string): string =>
  isStored ? `TRY(${then})` : `CASE WHEN JSON_VALID(${text}) THEN ${then} END`;

function formatCivil(us: string, suffix: string): string {
  const text = `STRFTIME(${civilFromUs.duckdb(us)}, '%Y-%m-%d %H:%M:%S')`;
  return `(${text} || ${shortFraction(us)} || ${quoteText(suffix)})`;
}

export const DUCKDB: Dialect = {
  target: 'duckdb',
  typeName,
  jsonScalar: (json, parts) => valid(json, `JSON_VALUE(${json.text}, ${path(parts)}) ->> '$'`),
  jsonText: (json, parts) =>
    parts.length === 0
      ? json.text
      : valid(json, `CAST(JSON_EXTRACT(${json.text}, ${path(parts)}) AS VARCHAR)`),
  jsonIsObject: (json, parts) =>
    `COALESCE(${valid(json, `JSON_TYPE(${json.text}, ${path(parts)}) = 'OBJECT'`)}, FALSE)`,
  jsonElements: (json, parts) => {
    const found = `JSON_EXTRACT(${json.text}, ${path(parts)})`;
    return valid(
      json,
      `CASE JSON_TYPE(${json.text}, ${path(parts)}) WHEN 'ARRAY' THEN CAST(CAST(${found} AS JSON[]) AS VARCHAR[]) WHEN 'OBJECT' THEN [CAST(${found} AS VARCHAR)] END`,
    );
  },
  toJson: (value, type) => {
    switch (type.kind) {
      case 'dynamic':
      case 'struct':
      case 'null':
        return value;
      case 'float64':
        return floatJson.duckdb(value);
      default:
        return `CAST(TO_JSON(${value}) AS VARCHAR)`;
    }
  },
  arrayToJson: (array, element) => {
    if (element === undefined) return `CAST(TO_JSON(${array}) AS VARCHAR)`;
    const members = `LIST_TRANSFORM(${array}, lambda e: COALESCE(${element}, 'null'))`;
    return `CASE WHEN ${array} IS NOT NULL THEN '[' || COALESCE(${joinTexts(members, "','")}, '') || ']' END`;
  },
  array: (items, type) => `CAST([${items.join(', ')}] AS ${typeName(type)})`,
  element: (array, index, safe) => {
    const inside = `${index} >= 0 AND ${index} < LEN(${array})`;
    const place = `${index} + 1`;
    const outside = safe
      ? ''
      : ` WHEN ${array} IS NOT NULL AND ${index} IS NOT NULL THEN ${failure('array index out of bounds', 'BIGINT')}`;
    return `LIST_EXTRACT(${array}, CASE WHEN ${inside} THEN ${place}${outside} END)`;
  },
  mapArray: (array, variable, body) => `LIST_TRANSFORM(${array}, lambda ${variable}: ${body})`,
  anyMatch: (array, variable, condition) =>
    `COALESCE(LIST_AGGREGATE(${DUCKDB.mapArray(array, variable, condition)}, 'bool_or'), FALSE)`,
  inList: (value, items) => `(${value} IN (${items.join(', ')}))`,
  unnest: (array, alias, column, offset) =>
    offset === undefined
      ? `LATERAL (SELECT UNNEST(${array}) AS ${column}) AS ${alias}`
      : `LATERAL (SELECT UNNEST(a) AS ${column}, UNNEST(RANGE(LEN(a))) AS ${offset} FROM (SELECT ${array} AS a) AS l) AS ${alias}`,
  cast: (value, from, to, safe) => {
    const read = from.kind === 'string' ? castText('duckdb', value, to, safe) : undefined;
    if (read !== undefined) return read;
    const cast = safe ? 'TRY_CAST' : 'CAST';
    switch (`${from.kind} ${to.kind}`) {
      case 'timestamp datetime':
      case 'datetime timestamp':
        return value;
      case 'timestamp date':
      case 'datetime date':
        return `CAST(${civilFromUs.duckdb(value)} AS DATE)`;
      case 'date timestamp':
      case 'date datetime':
        return usFromCivil.duckdb(`CAST(${value} AS TIMESTAMP)`);
      case 'timestamp string':
        return formatCivil(value, '+00');
      case 'datetime string':
        return formatCivil(value, '');
      case 'float64 string':
        return floatText.duckdb(value);
      case 'float64 int64':
        // A cast alone would round halves to even; BigQuery and Trino round them away from zero.
        return `${cast}(ROUND(${value}) AS BIGINT)`;
      default:
        return to.kind === 'dynamic'
          ? DUCKDB.toJson(value, from)
          : `${cast}(${value} AS ${typeName(to)})`;
    }
  },
  partitionLowerBound: (date, hour) =>
    `(dt > DATE '${date}' OR (dt = DATE '${date}' AND hour >= ${hour}))`,
};
