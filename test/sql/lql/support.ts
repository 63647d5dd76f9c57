import type { SqlError } from '../../../src/sql/common/sql-error.ts';
import { type LqlContext, parseLql } from '../../../src/sql/lql/lql.ts';
import { render, renderWhere } from './render.ts';

/** 2026-02-03 11:39:42.123 UTC, a Tuesday. */
export const NOW_US = BigInt(Date.UTC(2026, 1, 3, 11, 39, 42, 123)) * 1000n;

const ONE_TABLE: LqlContext = { tables: ['src'], nowUs: NOW_US };

/** What LQL means, as SQL. */
export function meaning(lql: string, context: Partial<LqlContext> = {}): string {
  return render(parseLql(lql, { ...ONE_TABLE, ...context }));
}

/** The condition that LQL means. */
export function condition(lql: string): string {
  return renderWhere(parseLql(lql, ONE_TABLE));
}

/** The error that LQL is refused with. */
export function refusal(lql: string, context: Partial<LqlContext> = {}): SqlError {
  try {
    parseLql(lql, { ...ONE_TABLE, ...context });
  } catch (error) {
    return error as SqlError;
  }
  throw new Error(`${lql} was accepted`);
}
