/** One piece of a BigQuery format string: text as it stands, or a code such as `%Y` or `%E3S`. */
export type FormatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly code: string };

/** Codes that stand for others. */
const EXPANSIONS: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  R: '%H:%M',
  D: '%m/%d/%y',
  c: '%a %b %e %H:%M:%S %Y',
};

const CODE = /%(E[*\d]S|E4Y|Ez|.)/y;

/**
 * Splits a format string; shorthand codes are written out. Undefined for a lone `%` at the end.
 *
 * @param absent codes of what the value does not have, which stay as they are written.
 */
export function formatParts(format: string, absent?: RegExp): FormatPart[] | undefined {
  const parts: FormatPart[] = [];
  const addText = (text: string): void => {
    const last = parts[parts.length - 1];
    if (last?.kind === 'text') {
      parts[parts.length - 1] = { kind: 'text', text: last.text + text };
    } else {
      parts.push({ kind: 'text', text });
    }
  };
  let at = 0;
  while (at < format.length) {
    if (format[at] !== '%') {
      addText(format.charAt(at));
      at += 1;
      continue;
    }
    CODE.lastIndex = at;
    const code = CODE.exec(format)?.[1];
    if (code === undefined) return undefined;
    at += code.length + 1;
    if (absent?.test(code)) {
      addText(`%${code}`);
      continue;
    }
    const expansion = Object.hasOwn(EXPANSIONS, code) ? EXPANSIONS[code] : undefined;
    if (expansion !== undefined) {
      parts.push(...(formatParts(expansion) ?? []));
    } else if (code === '%' || code === 'n' || code === 't') {
      addText(code === 'n' ? '\n' : code === 't' ? '\t' : '%');
    } else {
      parts.push({ kind: 'code', code: code === 'h' ? 'b' : code });
    }
  }
  return parts;
}
