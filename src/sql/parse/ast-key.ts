import type { AstExpr } from './ast.ts';

/** The same for two texts that were written alike, wherever they stand. */
export function astKey(expr: AstExpr): string {
  return JSON.stringify(expr, (key, value: unknown) =>
    key === 'at' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
  );
}
