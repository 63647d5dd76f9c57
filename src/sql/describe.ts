import { compileContext, parseSaved, type StatementInput } from './bind/bind-statement.ts';
import { TableEnvironment } from './bind/environment.ts';
import { Scope } from './bind/scope.ts';
import { bindQuery } from './bind/select/bind-query.ts';
import type { QueryNode } from './ir/ir.ts';
import { INT64, type SqlType, typeName } from './ir/types.ts';

/** A column with its type in BigQuery's spelling, such as `ARRAY<STRUCT<id STRING>>`; `JSON` where only a use tells. */
export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
}

/** What a saved text shows and reads, as far as binding tells. */
export interface QueryDescription {
  /** Of the text's own result. */
  readonly columns: readonly DescribedColumn[];
  /** Its top-level CTEs, which a consumer's text may read. */
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly DescribedColumn[];
  }[];
  /** Sources that it or an endpoint in it reads, each once. */
  readonly sources: readonly { readonly name: string; readonly id: string }[];
}

/**
 * Describes a saved text by what its sources have shown so far.
 *
 * @throws SqlError as `compile` does for the same input.
 */
export function describe(input: StatementInput): QueryDescription {
  const context = compileContext(input);
  const ast = parseSaved(input.sql);
  const environment = TableEnvironment.ofSources(input.catalog);
  const tables = environment.withCtes(ast.ctes, input.sql).bindAll(context);
  const scope = new Scope();
  const root = bindQuery(ast, { compile: context, text: input.sql, environment, scope });
  const sources = new Map(context.scans.map(({ source, sourceId }) => [sourceId, source]));
  return {
    columns: columnsOf(root),
    tables: tables.map(({ name, query }) => ({ name, columns: columnsOf(query) })),
    sources: [...sources].map(([id, name]) => ({ name, id })),
  };
}

function columnsOf({ outputs }: QueryNode): DescribedColumn[] {
  return outputs.map(({ label, type }) => ({ name: label, type: typeName(named(type)) }));
}

/** A NULL that nothing has given a type is an INT64, as BigQuery has it. */
function named(type: SqlType): SqlType {
  switch (type.kind) {
    case 'null':
      return INT64;
    case 'array':
      return { ...type, of: named(type.of) };
    case 'struct':
      return {
        ...type,
        fields: type.fields.map((field) => ({ ...field, type: named(field.type) })),
      };
    default:
      return type;
  }
}
