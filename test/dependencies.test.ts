import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

/** What runs the program, and is imported nowhere. */
const RUNTIME = ['node'];

test('the dependencies are what npm start loads, and nothing else', () => {
  const { metafile } = buildSync({
    entryPoints: ['src/local/main.mjs'],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    write: false,
    metafile: true,
    outdir: 'nowhere',
  });

  const imported = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && !isBuiltin(path))
    .map(({ path }) => path);
  // esbuild does not follow a require that createRequire made.
  const required = Object.keys(metafile.inputs).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\brequire(?:\.resolve)?\(\s*['`]([^.'`$]+)/g)].map(
      ([, path = '']) => path,
    ),
  );
  const packages = new Set([...imported, ...required].map(packageOf));

  expect([...packages, ...RUNTIME].sort()).toEqual(Object.keys(manifest.dependencies).sort());
});

/** `@scope/name/file` and `name/file` without the file. */
function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}
