import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resources, synthesise } from '../lib/stacks.ts';
import { anchors, linkTargets } from './markdown.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Why a link of a document leads nowhere; undefined when it leads somewhere. */
function fault(document: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file =
    path === '' ? document : relative(PROJECT, resolve(PROJECT, dirname(document), path));
  if (!existsSync(join(PROJECT, file))) return `${target}: there is no ${file}`;
  if (anchor === undefined) return undefined;
  const headings = anchors(readFileSync(join(PROJECT, file), 'utf8'));
  return headings.has(anchor) ? undefined : `${target}: ${file} has no heading for #${anchor}`;
}

function faults(document: string, markdown: string): string[] {
  return linkTargets(markdown)
    .filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target))
    .map((target) => fault(document, target))
    .filter((found) => found !== undefined);
}

test.each(DOCUMENTS)('every link of %s leads to a file or heading of the project', (document) => {
  const markdown = readFileSync(join(PROJECT, document), 'utf8');

  expect(faults(document, markdown)).toEqual([]);
});

test('every alarm links to a section of the runbook', () => {
  const { observability } = synthesise();

  const alarms = Object.values(resources(observability, 'AWS::CloudWatch::Alarm'));
  const broken = alarms
    .map(({ Properties }) => String(Properties.AlarmDescription))
    .map((description) => /Runbook: (\S+#\S+)$/.exec(description)?.[1] ?? description)
    .map((target) => fault('README.md', target))
    .filter((found) => found !== undefined);

  expect(alarms.length).toBeGreaterThan(0);
  expect(broken).toEqual([]);
});

describe('the check', () => {
  test('reports a file and a heading that do not exist', () => {
    const markdown = '[a](docs/none.md) [b](README.md#none) [c](#none) [d](README.md#run-it)';

    expect(faults('README.md', markdown)).toEqual([
      'docs/none.md: there is no docs/none.md',
      'README.md#none: README.md has no heading for #none',
      '#none: README.md has no heading for #none',
    ]);
  });

  test('leaves other sites and code alone', () => {
    const markdown = '[a](https://example.com/x) `[b](none.md)`\n\n```md\n[c](none.md)\n# d\n```\n';

    expect(faults('README.md', markdown)).toEqual([]);
    expect(anchors(markdown)).toEqual(new Set());
  });

  test("makes anchors by GitHub's rules", () => {
    const markdown =
      '# A, B & `c_d`\n\n## Same\n\n### Same ###\n\n## Für [alle](x.md)\n\n## table-throttled\n';

    expect([...anchors(markdown)]).toEqual([
      'a-b--c_d',
      'same',
      'same-1',
      'für-alle',
      'table-throttled',
    ]);
  });
});
