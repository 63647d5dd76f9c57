import { Fields } from '../../../platform/json/fields.ts';

/** `name="value"`, and the comma before the next; values are quoted as Go quotes them. */
const LABEL = /\s*([^\s=,{}"]+)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,|$)/suy;

/** The escapes of a text that Go has quoted (strconv.Quote). */
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gsu;

const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The labels of a stream as Prometheus writes them: `{job="web", host="a"}`; undefined for anything else. */
export function parseLabels(text: string): Fields | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  const inner = trimmed.slice(1, -1).trim();
  const labels = new Fields();
  for (let at = 0; at < inner.length; at = LABEL.lastIndex) {
    LABEL.lastIndex = at;
    const match = LABEL.exec(inner);
    if (match === null) return undefined;
    const [, name = '', value = ''] = match;
    labels[name] = value.includes('\\') ? unquoted(value) : value;
  }
  return labels;
}

function unquoted(text: string): string {
  return text.replace(ESCAPE, (_, byte, short, long, letter) => {
    if (letter !== undefined) return LETTERS[letter] ?? letter;
    const code = Number.parseInt(byte ?? short ?? long, 16);
    return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}
