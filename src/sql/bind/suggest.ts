import type { SqlError } from '../error.ts';
import { type BindContext, fail } from './context.ts';

/** The candidate that differs least from a name, if it is near enough to be meant. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase().slice(0, 64));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits between two words, a swap of neighbours counting as one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (previous[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (previous[j - 1] ?? 0) + change,
          swapped ? (beforePrevious[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The error of a table that is not there, in the words that Logflare's users know. */
export function unknownTable(name: string, at: number, ctx: BindContext): SqlError {
  const known = ctx.environment.cteNames();
  const near = nearest(name, known);
  const hint = near === undefined ? '' : `, did you mean ${near}?`;
  const message = ctx.environment.readsSources
    ? `can't find source ${name}${hint}`
    : `Table not found in CTE: (${name.split('.').join(', ')})${hint}${near === undefined && known.length > 0 ? `; available are ${known.slice(0, 20).join(', ')}` : ''}`;
  return fail(ctx, at, 'sql_unknown_table', message);
}
