import type { Catalog, CatalogSource } from '../common/catalog.ts';
import { sqlErrorAt } from '../common/position.ts';
import { SqlError } from '../common/sql-error.ts';
import type { CteNode, Expr, QueryNode, ScanNode } from '../ir/ir.ts';
import type { Names } from '../ir/names.ts';
import type { AstCte, AstQuery } from '../parse/ast.ts';
import { parse } from '../parse/parse.ts';
import { Scope } from './scope.ts';
import { bindQuery } from './select/bind-query.ts';
import type { StatementSize } from './size.ts';

/** State of one compilation. */
export interface CompileContext {
  readonly names: Names;
  readonly size: StatementSize;
  /** The literal that stands for a parameter. */
  parameter(name: string): Expr;
  readonly nowUs: bigint;
  /** CTEs that the statement reaches, each after those it reads. */
  readonly ctes: CteNode[];
  readonly warnings: Set<string>;
  /** In the order of binding. */
  readonly scans: ScanNode[];
  /** Endpoints that the statement reads as tables, by name. */
  readonly endpoints: Map<string, CteDefinition>;
}

/** A CTE that is bound when a query first reads it: one without readers is neither bound nor printed. */
class CteDefinition {
  readonly #name: string;
  readonly #query: AstQuery;
  readonly #text: string;
  readonly #environment: TableEnvironment;
  #state: 'unbound' | 'binding' | CteNode = 'unbound';

  constructor(name: string, query: AstQuery, text: string, environment: TableEnvironment) {
    this.#name = name;
    this.#query = query;
    this.#text = text;
    this.#environment = environment;
  }

  node(compile: CompileContext): CteNode {
    if (this.#state === 'binding') {
      const message = `${this.#name} reads itself: recursion is not supported`;
      throw new SqlError('sql_unsupported', message);
    }
    if (this.#state === 'unbound') {
      this.#state = 'binding';
      const query = compile.size.cte(() =>
        bindQuery(this.#query, {
          compile,
          text: this.#text,
          environment: this.#environment,
          scope: new Scope(),
        }),
      );
      const node = { name: compile.names.fresh(this.#name), query };
      this.#state = node;
      compile.ctes.push(node);
    }
    return this.#state;
  }
}

/** What a text is, as far as it matters for what it may say and how it is told what is wrong. */
export interface TextRules {
  /** Whether a SELECT list may say `*`. */
  readonly wildcards: boolean;
  /** Whether a table's name may stand for its row. */
  readonly wholeRows: boolean;
  /** What its author wrote: authors of LQL know no CAST. */
  readonly language: 'sql' | 'lql';
}

const SAVED_TEXT: TextRules = { wildcards: true, wholeRows: true, language: 'sql' };

/**
 * The tables that a text may name. A consumer's environment has the endpoint's CTEs below it and no
 * sources, at any depth: nothing that it writes can make a source reachable, because lookups only
 * ever walk from its own CTEs to the endpoint's.
 */
export class TableEnvironment {
  readonly #parent: TableEnvironment | undefined;
  readonly #ctes = new Map<string, CteDefinition>();
  /** Environments behind the WITH clauses of queries here, so that each CTE is bound once. */
  readonly #inner = new Map<readonly AstCte[], TableEnvironment>();
  /** Absent where no source can be reached. */
  readonly #catalog: Catalog | undefined;

  readonly rules: TextRules;

  private constructor(
    parent: TableEnvironment | undefined,
    catalog: Catalog | undefined,
    rules = parent?.rules ?? SAVED_TEXT,
  ) {
    this.#parent = parent;
    this.#catalog = catalog;
    this.rules = rules;
  }

  /** For an endpoint's own text: every source. */
  static ofSources(catalog: Catalog): TableEnvironment {
    return new TableEnvironment(undefined, catalog);
  }

  /** For a consumer's text: what the endpoint's text defines, and no sources. */
  static forConsumer(endpoint: TableEnvironment, rules: TextRules): TableEnvironment {
    const sealed = new TableEnvironment(undefined, undefined, rules);
    for (const [name, definition] of endpoint.#ctes) sealed.#ctes.set(name, definition);
    return sealed;
  }

  /**
   * The environment behind a WITH clause. Each CTE sees those before it, so one that has the name of a
   * source reads the source, not itself.
   *
   * @throws SqlError when two CTEs of one WITH have the same name.
   */
  withCtes(ctes: readonly AstCte[], text: string): TableEnvironment {
    if (ctes.length === 0) return this;
    const known = this.#inner.get(ctes);
    const inner = known ?? this.#behind(ctes, text);
    this.#inner.set(ctes, inner);
    return inner;
  }

  #behind(ctes: readonly AstCte[], text: string): TableEnvironment {
    let environment: TableEnvironment = this;
    const seen = new Set<string>();
    const all = new TableEnvironment(this, this.#catalog);
    for (const cte of ctes) {
      if (seen.has(cte.name.text)) {
        const message = `The CTE name ${cte.name.text} is used twice`;
        throw sqlErrorAt(text, cte.name.at, 'sql_syntax', message);
      }
      seen.add(cte.name.text);
      const definition = new CteDefinition(cte.name.text, cte.query, text, environment);
      const next = new TableEnvironment(environment, this.#catalog);
      next.#ctes.set(cte.name.text, definition);
      all.#ctes.set(cte.name.text, definition);
      environment = next;
    }
    return all;
  }

  /** Names are compared with case, as Logflare does for sources and CTEs. */
  cte(name: string, compile: CompileContext): CteNode | undefined {
    const definition = this.#ctes.get(name);
    return definition === undefined ? this.#parent?.cte(name, compile) : definition.node(compile);
  }

  source(name: string): CatalogSource | undefined {
    return this.#catalog?.source(name);
  }

  /**
   * Another endpoint, read as a table: its text is bound on its own, over its own catalog, and not in
   * the names around the place that reads it. Only where sources may be read too.
   */
  endpoint(name: string, compile: CompileContext): CteNode | undefined {
    const endpoint = this.#catalog?.endpoint?.(name);
    if (endpoint === undefined) return undefined;
    const { sql, catalog } = endpoint;
    const definition =
      compile.endpoints.get(name) ??
      new CteDefinition(name, parse(sql), sql, TableEnvironment.ofSources(catalog));
    compile.endpoints.set(name, definition);
    return definition.node(compile);
  }

  get readsSources(): boolean {
    return this.#catalog !== undefined;
  }

  /** CTE names, nearest first, for messages. */
  cteNames(): string[] {
    return [...new Set([...this.#ctes.keys(), ...(this.#parent?.cteNames() ?? [])])];
  }

  /** Binds every CTE of this level, so that a saved query is checked whole. @returns them by their names. */
  bindAll(compile: CompileContext): { readonly name: string; readonly query: QueryNode }[] {
    return [...this.#ctes].map(([name, definition]) => ({
      name,
      query: definition.node(compile).query,
    }));
  }
}
