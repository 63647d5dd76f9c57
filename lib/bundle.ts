/**
 * The code of a function as it is deployed: ES modules that esbuild makes of a file in `lambdas/` and
 * all that it imports. What is imported dynamically, and so needed by few requests, stays in modules of
 * its own, which a cold start neither reads nor parses. CDK's own `NodejsFunction` makes one file of it
 * all.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type Metafile } from 'esbuild';
import type { FunctionName } from '../lambdas/environment.ts';

/**
 * Where the SDK looks for credentials when the environment has none. Lambda puts them there always, so
 * none of these is ever loaded.
 */
const OTHER_CREDENTIALS = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** One file of code. */
export interface Module {
  /** Relative to the bundle. */
  readonly path: string;
  readonly code: Uint8Array;
  /** Whether a cold start loads it; the others are loaded when something needs them. */
  readonly isInitial: boolean;
  /** Files that it was made from, relative to the project. */
  readonly sources: readonly string[];
}

export interface Bundle {
  readonly modules: readonly Module[];
  /** All there is to deploy but folders, source maps included, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Module that has the handler, without its ending. */
export const ENTRY = 'index';

/** What Node is told when it starts a bundle: stack traces name the files of this project. */
export const NODE_OPTIONS = '--enable-source-maps';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles a function. The same files give the same bytes on every machine.
 *
 * @throws what esbuild reports of code that it cannot read, or of an import that is not there.
 */
export function bundle(entry: FunctionName): Bundle {
  const outdir = join(PROJECT, 'bundles', entry);
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: PROJECT,
    entryPoints: { [ENTRY]: `lambdas/${entry}.ts` },
    // Nothing is written here: the name is in source maps, and has to be the same everywhere.
    outdir,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    // The runtime has an SDK too, which changes without notice: it is bundled, but for these.
    external: OTHER_CREDENTIALS,
    // Some dependencies are CommonJS and call require, which an ES module does not have.
    banner: {
      js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  const files = new Map(
    outputFiles.map(({ path, contents }) => [relative(outdir, path), contents]),
  );
  return { files, modules: modulesOf(metafile, files, `bundles/${entry}/`) };
}

/** Writes a bundle, and beside it a folder of the project that its code reads at run time. */
export function writeBundle({ files }: Bundle, directory: string, folder?: string): void {
  for (const [path, contents] of files) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  if (folder !== undefined) {
    cpSync(join(PROJECT, folder), join(directory, basename(folder)), { recursive: true });
  }
}

function modulesOf(
  { outputs }: Metafile,
  files: ReadonlyMap<string, Uint8Array>,
  prefix: string,
): Module[] {
  const initial = new Set<string>();
  const load = (output: string): void => {
    if (initial.has(output)) return;
    initial.add(output);
    for (const { path, kind, external } of outputs[output]?.imports ?? []) {
      if (kind === 'import-statement' && !external) load(path);
    }
  };
  load(`${prefix}${ENTRY}.mjs`);
  return [...files]
    .filter(([path]) => path.endsWith('.mjs'))
    .map(([path, code]) => ({
      path,
      code,
      isInitial: initial.has(prefix + path),
      sources: Object.entries(outputs[prefix + path]?.inputs ?? {})
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([source]) => source),
    }));
}
