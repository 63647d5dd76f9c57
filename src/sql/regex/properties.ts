/** What can be said of all matches of a pattern without running it. */
import { type CodePoints, includes } from './code-points.ts';
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

/** Whether anything captures. */
export function hasGroup(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return false;
    case 'group':
      return true;
    case 'repeat':
      return hasGroup(node.body);
    case 'sequence':
    case 'choice':
      return node.items.some(hasGroup);
  }
}

/** Whether a capturing group is repeated in something that can be empty, as in `(a*)+`. */
export function hasGroupInEmptyLoop(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return false;
    case 'group':
      return hasGroupInEmptyLoop(node.body);
    case 'repeat': {
      const loops = (node.max ?? 2) > 1;
      return (
        (loops && hasGroup(node.body) && canBeEmpty(node.body)) || hasGroupInEmptyLoop(node.body)
      );
    }
    case 'sequence':
    case 'choice':
      return node.items.some(hasGroupInEmptyLoop);
  }
}

/** Whether some capturing group may take no part in a match. */
export function hasOptionalGroup(node: RegexNode, optional = false): boolean {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return false;
    case 'group':
      return optional || hasOptionalGroup(node.body, optional);
    case 'repeat':
      return hasOptionalGroup(node.body, optional || node.min === 0);
    case 'sequence':
      return node.items.some((item) => hasOptionalGroup(item, optional));
    case 'choice':
      return node.items.some((item) => hasOptionalGroup(item, true));
  }
}

/**
 * The characters of a pattern that is one run of them, as many as there are: `x*`, `(\s*)$`, `.*`,
 * `(?m)^.*$`. Undefined for any other pattern, also for one whose anchors could hold inside the run.
 */
export function optionalRun(node: RegexNode): CodePoints | undefined {
  if (node.kind === 'group') {
    return optionalRun(node.body);
  }
  const items = node.kind === 'sequence' ? node.items : [node];
  const at = items.findIndex((item) => item.kind !== 'assertion');
  const run = repeatedSet(items[at]);
  const before = items.slice(0, Math.max(at, 0)).map(assertionOf);
  const after = items.slice(at + 1).map(assertionOf);
  const anchored =
    before.every((what) => what === 'line_start') &&
    after.every((what) => what === 'text_end' || what === 'line_end');
  const ofLines = [...before, ...after].some((what) => what !== 'text_end');
  return run === undefined || !anchored || (ofLines && includes(run, NEWLINE)) ? undefined : run;
}

const NEWLINE = 0x0a;

function assertionOf(node: RegexNode): Assertion | undefined {
  return node.kind === 'assertion' ? node.what : undefined;
}

function repeatedSet(node: RegexNode | undefined): CodePoints | undefined {
  if (node?.kind === 'group') {
    return repeatedSet(node.body);
  }
  const repeats = node?.kind === 'repeat' && node.min === 0 && node.greedy && node.max !== 0;
  return repeats && node.body.kind === 'set' ? node.body.set : undefined;
}
