import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHECKS } from '../../bin/preflight/checks/index.ts';

test('docs/deploy.md says what each check of npm run preflight is about', () => {
  const markdown = readFileSync('docs/deploy.md', 'utf8');
  const [, table = ''] =
    /^\| check \| what has to hold \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(markdown) ?? [];

  const documented = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  );

  expect(documented).toEqual(['Credentials', ...CHECKS.map(({ name }) => name)]);
});
