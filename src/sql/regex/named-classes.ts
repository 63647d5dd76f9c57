import { type CodePoints, rangesOf } from './code-points.ts';

const DIGIT = rangesOf('09');
export const WORD: CodePoints = rangesOf('09AZaz__');

/** `\d`, `\s`, `\w`: ASCII only in RE2, and `\s` lacks the vertical tab. */
export const PERL_CLASSES: Readonly<Record<string, CodePoints>> = {
  d: DIGIT,
  s: rangesOf('\t\n\f\r  '),
  w: WORD,
};

/** `[[:alpha:]]` and so on. */
export const POSIX_CLASSES: Readonly<Record<string, CodePoints>> = {
  alnum: rangesOf('09AZaz'),
  alpha: rangesOf('AZaz'),
  ascii: rangesOf('\x00\x7f'),
  blank: rangesOf('\t\t  '),
  cntrl: rangesOf('\x00\x1f\x7f\x7f'),
  digit: DIGIT,
  graph: rangesOf('!~'),
  lower: rangesOf('az'),
  print: rangesOf(' ~'),
  punct: rangesOf('!/:@[`{~'),
  space: rangesOf('\t\r  '),
  upper: rangesOf('AZ'),
  word: WORD,
  xdigit: rangesOf('09AFaf'),
};
