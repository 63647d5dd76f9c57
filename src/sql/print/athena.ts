import { quoteText } from '../../platform/sql-text.ts';
import { letBinding } from '../functions/common/let-binding.ts';
import {
  civilFromUs,
  shortFraction,
  wholeSecond,
  wholeUsFromCivil,
} from '../functions/time/civil.ts';
import type { JsonPath } from '../ir/ir.ts';
import type { SqlType } from '../ir/types.ts';
import { castText } from './cast-text.ts';
import { type Dialect, jsonPathLiteral, scalarTypeName } from './dialect.ts';
import { floatJson, floatText } from './float-text.ts';

function typeName(type: SqlType): string {
  return type.kind === 'array' ? `ARRAY(${typeName(type.of)})` : scalarTypeName(type);
}

const path = (parts: JsonPath): string => jsonPathLiteral(parts, 'athena');

const isObject = (json: string): string => `(SUBSTR(JSON_FORMAT(${json}), 1, 1) = '{')`;

function formatCivil(time: string, suffix: string): string {
  return letBinding('athena', time, 'u', (us) => {
    const text = `DATE_FORMAT(${civilFromUs.athena(wholeSecond(us))}, '%Y-%m-%d %H:%i:%s')`;
    return `(${text} || ${shortFraction(us)} || ${quoteText(suffix)})`;
  });
}

/** Trino, as Athena's engine version 3 has it. */
export const ATHENA: Dialect = {
  target: 'athena',
  typeName,
  jsonScalar: ({ text }, parts) => `JSON_EXTRACT_SCALAR(${text}, ${path(parts)})`,
  jsonText: ({ text }, parts) =>
    parts.length === 0 ? text : `JSON_FORMAT(JSON_EXTRACT(${text}, ${path(parts)}))`,
  jsonIsObject: ({ text }, parts) =>
    `COALESCE(${isObject(`JSON_EXTRACT(${text}, ${path(parts)})`)}, FALSE)`,
  jsonElements: ({ text }, parts) => {
    const json = `JSON_EXTRACT(${text}, ${path(parts)})`;
    const list = `TRANSFORM(CAST(${json} AS ARRAY(JSON)), e -> JSON_FORMAT(e))`;
    return `CASE WHEN JSON_ARRAY_LENGTH(${json}) IS NOT NULL THEN ${list} WHEN ${isObject(json)} THEN ARRAY[JSON_FORMAT(${json})] END`;
  },
  toJson: (value, type) => {
    switch (type.kind) {
      case 'string':
        return `JSON_FORMAT(CAST(${value} AS JSON))`;
      case 'float64':
        return floatJson.athena(value);
      case 'date':
        return `JSON_FORMAT(CAST(CAST(${value} AS VARCHAR) AS JSON))`;
      case 'dynamic':
      case 'struct':
      case 'null':
        return value;
      default:
        return `JSON_FORMAT(CAST(${value} AS JSON))`;
    }
  },
  arrayToJson: (array, element) => {
    if (element === undefined) return `JSON_FORMAT(CAST(${array} AS JSON))`;
    const members = element === 'e' ? array : ATHENA.mapArray(array, 'e', element);
    return `CONCAT('[', ARRAY_JOIN(${members}, ',', 'null'), ']')`;
  },
  array: (items, type) => `CAST(ARRAY[${items.join(', ')}] AS ${typeName(type)})`,
  element: (array, index, safe) =>
    safe
      ? `CASE WHEN ${index} >= 0 THEN ELEMENT_AT(${array}, CAST(${index} + 1 AS INTEGER)) END`
      : `${array}[CAST(${index} + 1 AS INTEGER)]`,
  mapArray: (array, variable, body) => `TRANSFORM(${array}, ${variable} -> ${body})`,
  anyMatch: (array, variable, condition) =>
    `COALESCE(ANY_MATCH(${array}, ${variable} -> ${condition}), FALSE)`,
  // Trino 449 forgets the items of an IN list before one that can fail: `x IN (x, ARRAY[1][1])` is false.
  inList: (value, items, computed) =>
    computed
      ? `CONTAINS(ARRAY[${items.join(', ')}], ${value})`
      : `(${value} IN (${items.join(', ')}))`,
  unnest: (array, alias, column, offset) =>
    offset === undefined
      ? `UNNEST(${array}) AS ${alias}(${column})`
      : `LATERAL (SELECT v AS ${column}, o - 1 AS ${offset} FROM UNNEST(${array}) WITH ORDINALITY AS x(v, o)) AS ${alias}`,
  cast: (value, from, to, safe) => {
    const read = from.kind === 'string' ? castText('athena', value, to, safe) : undefined;
    if (read !== undefined) return read;
    switch (`${from.kind} ${to.kind}`) {
      case 'timestamp datetime':
      case 'datetime timestamp':
        return value;
      case 'timestamp date':
      case 'datetime date':
        return `CAST(${civilFromUs.athena(value)} AS DATE)`;
      case 'date timestamp':
      case 'date datetime':
        return wholeUsFromCivil.athena(`CAST(${value} AS TIMESTAMP(6))`);
      case 'timestamp string':
        return formatCivil(value, '+00');
      case 'datetime string':
        return formatCivil(value, '');
      case 'float64 string':
        return floatText.athena(value);
      default:
        return to.kind === 'dynamic'
          ? ATHENA.toJson(value, from)
          : `${safe ? 'TRY_CAST' : 'CAST'}(${value} AS ${typeName(to)})`;
    }
  },
  partitionLowerBound: (date, hour) =>
    `(dt > DATE '${date}' OR (dt = DATE '${date}' AND hour >= ${hour}))`,
};
