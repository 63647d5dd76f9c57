/** A query with the rows that BigQuery gives for it, over the events of `fixtures.ts`. */
export interface Golden {
  readonly what: string;
  readonly sql: string;
  readonly rows: readonly unknown[];
}

export const one = (what: string, sql: string, ...rows: unknown[]): Golden => ({ what, sql, rows });

/** `select <expression> as x`: one value. */
export const value = (what: string, expression: string, x: unknown): Golden =>
  one(what, `select ${expression} as x`, { x });

/** An expression of `v`, for each value of a list. */
export const over = (
  what: string,
  list: string,
  expression: string,
  values: readonly unknown[],
): Golden => ({
  what,
  sql: `select ${expression} as x from unnest([${list}]) as v with offset as i order by i`,
  rows: values.map((x) => ({ x })),
});
