import type { OutputColumn, OutputShape, OutputType } from '../common/result-schema.ts';
import type { QueryNode } from '../ir/ir.ts';
import type { SqlType } from '../ir/types.ts';
import type { OutputEncoding } from './print-query.ts';

/** What answers are made of: BIGINT, DOUBLE, BOOLEAN and VARCHAR, in both engines. */
export const encodeOutput: OutputEncoding = (expr, printer) => {
  switch (expr.type.kind) {
    case 'array':
      return printer.json(expr);
    case 'date':
      return `CAST(${printer.print(expr)} AS VARCHAR)`;
    default:
      return printer.print(expr);
  }
};

export function outputColumns(query: QueryNode): OutputColumn[] {
  return query.outputs.map(({ label, type }) => ({ name: label, type: outputType(type) }));
}

function outputType(type: SqlType): OutputType {
  switch (type.kind) {
    case 'int64':
    case 'float64':
    case 'bool':
    case 'string':
    case 'timestamp':
    case 'datetime':
    case 'date':
      return { kind: type.kind };
    case 'array':
    case 'struct':
      return { kind: 'json', shape: outputShape(type) };
    case 'dynamic':
      return { kind: 'json' };
    default:
      return { kind: 'string' };
  }
}

function outputShape(type: SqlType): OutputShape {
  switch (type.kind) {
    case 'array':
      return { kind: 'array', of: outputShape(type.of) };
    case 'struct':
      return {
        kind: 'struct',
        fields: type.fields.map(({ name, type: field }, index) => ({
          // BigQuery names what has no name by its place.
          name: name || `_field_${index + 1}`,
          shape: outputShape(field),
        })),
      };
    default:
      return { kind: 'scalar', type: outputType(type) };
  }
}
