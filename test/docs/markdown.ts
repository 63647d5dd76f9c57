/** What of a Markdown document links depend on. */

/** Targets of the links and images of a document, outside code. */
export function linkTargets(markdown: string): string[] {
  const prose = withoutFences(markdown).replaceAll(/(`+)[^`].*?\1/gs, '');
  return [...prose.matchAll(/\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g)].map(
    ([, target = '']) => target,
  );
}

/** Anchors that GitHub gives the headings of a document. */
export function anchors(markdown: string): Set<string> {
  const found = new Set<string>();
  const uses = new Map<string, number>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *#* *$/gm)) {
    const slug = slugOf(heading);
    const used = uses.get(slug) ?? 0;
    uses.set(slug, used + 1);
    found.add(used === 0 ? slug : `${slug}-${used}`);
  }
  return found;
}

/** GitHub keeps letters, digits, `_` and `-` of a heading's text, and writes a blank as `-`. */
function slugOf(heading: string): string {
  const text = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^( *)(`{3,}|~{3,})[^\n]*\n.*?^ *\2[^\n]*$/gms, '');
}
