/** What can be said of all matches of a pattern without running it. */
import type { Assertion, RegexNode } from './tree.ts';

/** Whether the pattern can match the empty text somewhere. */
export function canBeEmpty(node: RegexNode): boolean {
  return emptiness(node, true);
}

/** Whether the pattern matches the empty text at every position, if nothing longer. */
export function emptyAnywhere(node: RegexNode): boolean {
  return emptiness(node, false);
}

function emptiness(node: RegexNode, assertions: boolean): boolean {
  const of = (part: RegexNode): boolean => emptiness(part, assertions);
  switch (node.kind) {
    case 'set':
      return false;
    case 'assertion':
    case 'not_run_end':
      return assertions;
    case 'group':
      return of(node.body);
    case 'repeat':
      return node.min === 0 || of(node.body);
    case 'sequence':
      return node.items.every(of);
    case 'choice':
      return node.items.some(of);
  }
}

/** Whether no match has a character. */
export function isZeroWidth(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'assertion':
    case 'not_run_end':
      return true;
    case 'group':
      return isZeroWidth(node.body);
    case 'repeat':
      return node.max === 0 || isZeroWidth(node.body);
    case 'sequence':
    case 'choice':
      return node.items.every(isZeroWidth);
  }
}

/** Whether every match starts where the text does, so that there is one at most. */
export function startsWithText(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'not_run_end':
      return false;
    case 'assertion':
      return node.what === 'text_start';
    case 'group':
      return startsWithText(node.body);
    case 'repeat':
      return node.min > 0 && startsWithText(node.body);
    case 'sequence': {
      const leading = node.items.findIndex((item) => !isZeroWidth(item));
      const until = leading === -1 ? node.items.length : leading + 1;
      return node.items.slice(0, until).some(startsWithText);
    }
    case 'choice':
      return node.items.every(startsWithText);
  }
}

/** Whether any of the assertions occurs. */
export function asserts(node: RegexNode, assertions: readonly Assertion[]): boolean {
  switch (node.kind) {
    case 'set':
    case 'not_run_end':
      return false;
    case 'assertion':
      return assertions.includes(node.what);
    case 'group':
    case 'repeat':
      return asserts(node.body, assertions);
    case 'sequence':
    case 'choice':
      return node.items.some((item) => asserts(item, assertions));
  }
}
