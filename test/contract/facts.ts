import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '../..');

/**
 * Numbers of the facts that a file tests: `fact: 26` in a table, `fact 26` in a title, or a title
 * that begins with one.
 *
 * @param path from the project's directory.
 */
export function testedIn(path: string): number[] {
  const text = readFileSync(join(PROJECT, path), 'utf8');
  const found = text.matchAll(/\bfact:? (\d+)\b|\b(?:test|describe)\(\s*['"`](\d+) /g);
  return [...found].map(([, named, leading]) => Number(named ?? leading));
}

/** Numbers in the first column of a table of deliberate differences, by the heading above it. */
export function documentedUnder(heading: string): number[] {
  const text = readFileSync(join(PROJECT, 'docs/compatibility.md'), 'utf8');
  const [, onward] = text.split(`### ${heading}\n`);
  if (onward === undefined) throw new Error(`docs/compatibility.md has no heading "${heading}".`);
  const [section = ''] = onward.split(/^#+ /m);
  const cells = [...section.matchAll(/^\| ([\d, ]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => cell.split(',').map(Number));
}

export const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

/** All whole numbers from one to another, both included. */
export const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
