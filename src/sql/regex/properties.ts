/** What can be said of all matches of a pattern without running it. */
import { type Assertion, partsOf, type RegexNode } from './tree.ts';

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
    case 'repeat':
      return node.min === 0 || of(node.body);
    case 'group':
    case 'sequence':
      return partsOf(node).every(of);
    case 'choice':
      return node.items.some(of);
  }
}

/** Whether no match has a character. */
export function isZeroWidth(node: RegexNode): boolean {
  const never = node.kind === 'repeat' && node.max === 0;
  return never || (node.kind !== 'set' && partsOf(node).every(isZeroWidth));
}

/** Whether every match starts where the text does, so that there is one at most. */
export function startsWithText(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'not_run_end':
      return false;
    case 'assertion':
      return node.what === 'text_start';
    case 'repeat':
      return node.min > 0 && startsWithText(node.body);
    case 'sequence': {
      const leading = node.items.findIndex((item) => !isZeroWidth(item));
      const until = leading === -1 ? node.items.length : leading + 1;
      return node.items.slice(0, until).some(startsWithText);
    }
    case 'group':
    case 'choice':
      return partsOf(node).every(startsWithText);
  }
}

/** Whether any of the assertions occurs. */
export function asserts(node: RegexNode, assertions: readonly Assertion[]): boolean {
  return node.kind === 'assertion'
    ? assertions.includes(node.what)
    : partsOf(node).some((part) => asserts(part, assertions));
}
