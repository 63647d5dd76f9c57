/**
 * The code of a function as it is deployed: ES modules that esbuild makes of a file in `lambdas/` and
 * all that it imports. What is imported dynamically, and so needed by few requests, stays in modules of
 * its own, which a cold start neither reads nor parses. CDK's own `NodejsFunction` makes one file of it
 * all.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type Metafile } from 'esbuild';
import type { FunctionName } from '../../lambdas/shared/environment.ts';

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
  /**
   * Source maps, by the path of the module. They are not deployed: Node reads them at every start, which
   * takes it a fifth longer to load ingest, and they are more than half of an archive. `trace.ts` has
   * use of them.
   */
  readonly maps: ReadonlyMap<string, string>;
}

/** Module that has the handler, without its ending. */
export const ENTRY = 'index';

const MAP = '.map';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

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
    // Nothing is written here, but source maps tell their sources from here.
    outdir,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    sourcemap: 'external',
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
  const files = outputFiles.map(
    ({ path, contents }) => [relative(outdir, path), contents] as const,
  );
  const maps = files.filter(([path]) => path.endsWith(MAP));
  return {
    modules: modulesOf(metafile, new Map(files), `bundles/${entry}/`),
    maps: new Map(
      maps.map(([path, text]) => [path.slice(0, -MAP.length), Buffer.from(text).toString()]),
    ),
  };
}

/** Writes a bundle, and beside it a folder of the project that its code reads at run time. */
export function writeBundle({ modules }: Bundle, directory: string, folder?: string): void {
  mkdirSync(directory, { recursive: true });
  for (const { path, code } of modules) writeFileSync(join(directory, path), code);
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
