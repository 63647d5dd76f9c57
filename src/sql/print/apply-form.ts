import type { SqlTarget } from '../common/result-schema.ts';
import { isName, letBindings } from '../functions/common/let-binding.ts';

/** An operand of a form. */
export interface Argument {
  readonly printed: string;
  /** Some functions need to see a constant, and none is dear to repeat. */
  readonly constant: boolean;
}

/**
 * Characters of operands that a form may say as often as it likes. Longer ones would let the text grow
 * by a factor with every level of nesting; shorter ones are quicker where both engines see the column.
 */
const SHORT = 240;

/**
 * Prints a form so that no long operand of it is printed twice: if one would be, all operands become
 * variables. All, because neither engine takes an aggregate or a subquery inside of a lambda, and DuckDB
 * no column of an outer query.
 */
export function applyForm(
  target: SqlTarget,
  args: readonly Argument[],
  form: (args: readonly string[]) => string,
): string {
  const texts = args.map(({ printed }) => printed);
  const movable = args.flatMap(({ constant }, index) => (constant ? [] : [index]));
  const long = movable.filter((index) => !isName(texts[index] ?? ''));
  if (long.reduce((sum, index) => sum + (texts[index]?.length ?? 0), 0) <= SHORT) {
    return form(texts);
  }
  const withNames = (names: readonly string[]): string =>
    form(texts.map((text, index) => names[movable.indexOf(index)] ?? text));
  const marks = movable.map((index) => `operand_${index}_`);
  const marked = withNames(marks);
  const repeated = long.some((index) => marked.split(`operand_${index}_`).length > 2);
  return repeated
    ? letBindings(
        target,
        movable.map((index) => texts[index] ?? ''),
        withNames,
      )
    : form(texts);
}
