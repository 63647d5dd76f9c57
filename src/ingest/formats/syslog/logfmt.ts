/** logfmt, as Heroku's router and add-ons write their messages: `at=info path="/" status=200`. */

/** Pairs of one message; what has more is text. */
const MAX_PAIRS = 1000;
/** UTF-16 units of one message; Logplex cuts lines at 10,000 bytes. */
const MAX_LENGTH = 65_536;

/** A key with its `=` or `:`. Sticky: it reads where it is put. */
const KEY = /\s*([^\s=:"]+)[=:]/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"(?!\S)/sy;
const WORD = /[^\s"]*(?!\S)/y;

/**
 * The pairs of a text, all values as text; undefined unless the whole text is logfmt, that is, when it
 * has a word without a value (Logflare 1.50).
 */
export function parseLogfmt(text: string): Readonly<Record<string, string>> | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const pairs: [string, string][] = [];
  const end = text.trimEnd().length;
  let at = 0;
  while (at < end) {
    KEY.lastIndex = at;
    const key = KEY.exec(text);
    if (key === null || pairs.length === MAX_PAIRS) return undefined;
    const value = readValue(text, KEY.lastIndex);
    if (value === undefined) return undefined;
    pairs.push([key[1] ?? '', value.text]);
    at = value.end;
  }
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

function readValue(text: string, at: number): { text: string; end: number } | undefined {
  const pattern = text[at] === '"' ? QUOTED : WORD;
  pattern.lastIndex = at;
  const value = pattern.exec(text);
  if (value === null) return undefined;
  const quoted = value[1];
  return {
    text: quoted === undefined ? value[0] : quoted.replaceAll(/\\(.)/gs, '$1'),
    end: pattern.lastIndex,
  };
}
