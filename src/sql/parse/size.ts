/**
 * How large the parts of a text may be: more than people and their tools write, and less than what ends
 * the stack of this process or that of an engine, or takes seconds to bind.
 */

/** Levels of parentheses, calls and subqueries within each other. */
export const MAX_DEPTH = 150;

/** Operators of one kind, field accesses or tests in a row: each adds a level to the tree, and Trino 449 does not always take 400. */
export const MAX_CHAIN = 200;

/** Conditions joined by AND or OR, patterns of LIKE ANY, WHENs of a CASE: Trino 449 compiles some 500. */
export const MAX_CONDITIONS = 300;

/** Arguments of one call; DuckDB nests what `||` joins. */
export const MAX_ARGUMENTS = 200;

/** Parts of a dotted name. */
export const MAX_NAME_PARTS = 100;

/** Set operations in a row: each is printed as five levels or so, and Trino 449 takes less than 100. */
export const MAX_SET_OPERATIONS = 50;

/** Joins of one FROM clause. */
export const MAX_JOINS = 300;

/** Keys of one GROUP BY or ORDER BY: DuckDB plans each with all others. */
export const MAX_KEYS = 1_000;

/** Items of a SELECT list; BigQuery's own limit on columns. */
export const MAX_ITEMS = 10_000;
