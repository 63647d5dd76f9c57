import fc from 'fast-check';

/** Patterns over a small alphabet, so that they often match. Not all of them are valid RE2. */
export const patterns: fc.Arbitrary<string> = fc
  .letrec<{ choice: string; item: string }>((tie) => {
    const character = fc.constantFrom(
      ...['a', 'b', 'B', 'k', 's', 'é', 'É', 'ß', 'µ', 'K', 'ſ', '1', '٣', '_', '-', ' ', ','],
      ...[
        '#',
        '&',
        '{',
        '}',
        ']',
        '😀',
        '\n',
        '\\n',
        '\\.',
        '\\x41',
        '\\x{e9}',
        '\\101',
        '\\Q.+\\E',
      ],
    );
    const named = fc.constantFrom(
      ...[
        '\\d',
        '\\D',
        '\\s',
        '\\S',
        '\\w',
        '\\W',
        '\\pL',
        '\\PN',
        '\\p{Greek}',
        '\\p{^Lu}',
        '\\pZ',
      ],
    );
    const inClass = fc.oneof(
      { arbitrary: character.filter((text) => !/^(\]|-|\\Q.*)$/.test(text)), weight: 4 },
      named,
      fc.constantFrom(
        'a-c',
        'à-ÿ',
        '\\x{80}-\\x{10FFFF}',
        '!-/',
        '[:alpha:]',
        '[:^digit:]',
        '[:space:]',
      ),
      fc.constantFrom('&&', '[', '^', '.', '$', '[b]'),
    );
    const charClass = fc
      .tuple(fc.constantFrom('', '', '^'), fc.array(inClass, { minLength: 1, maxLength: 3 }))
      .map(([negation, members]) => `[${negation}${members.join('')}]`);
    const group = fc
      .tuple(
        fc.constantFrom('(', '(', '(?:', '(?:', '(?i:', '(?s:', '(?m:', '(?U:', '(?is-m:'),
        tie('choice'),
      )
      .map(([opening, body]) => `${opening}${body})`);
    const atom = fc.oneof(
      { maxDepth: 3, depthIdentifier: 'atom' },
      { arbitrary: character, weight: 8 },
      { arbitrary: named, weight: 2 },
      { arbitrary: fc.constant('.'), weight: 3 },
      { arbitrary: charClass, weight: 4 },
      { arbitrary: fc.constantFrom('^', '$', '\\b', '\\B', '\\A', '\\z'), weight: 3 },
      { arbitrary: group, weight: 5 },
    );
    const repetition = fc.constantFrom(
      ...[
        '',
        '',
        '',
        '',
        '',
        '*',
        '+',
        '?',
        '*?',
        '+?',
        '??',
        '{2}',
        '{1,2}',
        '{0,2}?',
        '{2,}',
        '{0}',
      ],
    );
    return {
      item: fc.tuple(atom, repetition).map(([text, repeats]) => `${text}${repeats}`),
      choice: fc
        .array(
          fc
            .array(tie('item'), { maxLength: 4, depthIdentifier: 'atom' })
            .map((items) => items.join('')),
          { minLength: 1, maxLength: 2 },
        )
        .map((choices) => choices.join('|')),
    };
  })
  .choice.chain((pattern) =>
    fc
      .constantFrom('', '', '', '(?i)', '(?s)', '(?m)', '(?im)', '(?U)')
      .map((flags) => flags + pattern),
  );

/** Texts of the same characters, with all that engines treat differently. */
export const TEXTS: readonly string[] = [
  '',
  'a',
  'ab ba',
  'aab1_1,b',
  'a\nb',
  'a\n',
  '\n\na\n',
  'a\r\nb\u2028c\u0085d',
  'é É ß ẞ ss SS',
  'e\u0301',
  'kK\u212A sSſ µμΜ',
  '٣ 3 \u0966',
  'a\u00A0b\vc\td\fe',
  '😀a😀',
  'κόσμος ΚΌΣΜΟΣ ς',
  'İiıI ǅǆǄ ﬁ',
  'a&&b[c]{2}#-^$.|',
  '.+ A .+',
  '_-_ kk bb BB',
  'bbb ab aB\n1a',
];
