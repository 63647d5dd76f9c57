import type { Documented } from './common/doc.ts';

interface Group {
  readonly title: string;
  readonly functions: readonly Documented[];
}

const BEGIN = '<!-- functions -->';
const END = '<!-- /functions -->';

/** The reference of functions in Markdown: a table for each group. */
export function referenceMarkdown(groups: readonly Group[]): string {
  return groups.map(groupMarkdown).join('\n\n');
}

/**
 * Puts the reference between its markers.
 *
 * @throws Error when the document lacks them.
 */
export function withReference(document: string, groups: readonly Group[]): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin === -1 || end < begin) {
    throw new Error(`The document needs the markers ${BEGIN} and ${END}`);
  }
  const before = document.slice(0, begin + BEGIN.length);
  return `${before}\n${referenceMarkdown(groups)}\n${document.slice(end)}`;
}

function groupMarkdown({ title, functions }: Group): string {
  const sources = [...new Set(functions.map(({ doc }) => doc.source))];
  const pages = sources.map((source) => source.replace(/^BigQuery: /, '')).join(', ');
  const rows = functions.map(({ doc }) => {
    const signatures = doc.signatures.map(code).join('<br>');
    const examples = doc.examples.slice(0, 2).map(({ text }) => code(text));
    return `| ${signatures} | ${cell(doc.rule)} | ${examples.join('<br>')} |`;
  });
  return [
    `### ${title}`,
    '',
    `In BigQuery's documentation: ${pages}.`,
    '',
    '| function | meaning | examples |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Text of a cell: a bar would end it, an angle bracket outside of code would be HTML. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function code(text: string): string {
  return `\`${cell(text)}\``;
}
