import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../lib/config.ts';
import { addStacks } from '../../lib/sluice-app.ts';
import { httpApiEvent } from '../lambdas/http-api-event.ts';
import { COMPACTION, INGEST, QUERYING, REDRIVE } from '../lambdas/variables.ts';
import { newApp } from './stacks.ts';

interface Bundle {
  /** Files of this project and its dependencies that it was made from. */
  readonly sources: readonly string[];
  readonly file: string;
  readonly code: Buffer;
}

const PROJECT = resolve(import.meta.dirname, '../..');
const FUNCTIONS = [
  'ingest',
  'redrive',
  'query',
  'management',
  'warmer',
  'bootstrap',
  'compaction',
] as const;

let outdir: string;
const bundles = new Map<string, Bundle>();

// Bundles every function once, as a deployment does.
beforeAll(() => {
  outdir = mkdtempSync(join(tmpdir(), 'sluice-bundles-'));
  addStacks(newApp({ outdir }), loadConfig('dev'));
  for (const asset of readdirSync(outdir).filter((name) => name.startsWith('asset.'))) {
    const bundle = readBundle(join(outdir, asset));
    const name = FUNCTIONS.find((one) => bundle.sources.includes(`lambdas/${one}.ts`));
    if (name !== undefined) bundles.set(name, bundle);
  }
}, 120_000);

afterAll(() => rmSync(outdir, { recursive: true }));

function readBundle(directory: string): Bundle {
  const { sources } = JSON.parse(readFileSync(join(directory, 'index.mjs.map'), 'utf8'));
  const file = join(directory, 'index.mjs');
  return {
    file,
    sources: sources.map((source: string) => relative(PROJECT, resolve(directory, source))),
    code: readFileSync(file),
  };
}

function bundle(name: string): Bundle {
  const found = bundles.get(name);
  if (found === undefined) throw new Error(`There is no bundle of ${name}.`);
  return found;
}

/** Runs a script in a Node process of its own, with nothing but the environment given. */
function runScript(script: string, env: NodeJS.ProcessEnv) {
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
}

describe('the bundle of', () => {
  test.each(FUNCTIONS)('%s is an ES module of its own code and dependencies', (name) => {
    expect(bundle(name).sources).toContain(`lambdas/${name}.ts`);
    expect(bundle(name).code.toString()).toMatch(/export\s*\{[^}]*\bas handler\b[^}]*\}/);
  });

  test.each(FUNCTIONS)('%s holds nothing that runs on a laptop only', (name) => {
    const local = /^src\/local\/|node_modules\/(@duckdb|dynalite|@hono\/node-server)\//;
    expect(bundle(name).sources.filter((source) => local.test(source))).toEqual([]);
  });

  test.each(FUNCTIONS)('%s holds nothing that CDK runs', (name) => {
    const synthesis = /^(lib|bin)\/|node_modules\/(aws-cdk-lib|constructs|cdk-nag)\//;
    expect(bundle(name).sources.filter((source) => synthesis.test(source))).toEqual([]);
  });

  test.each(FUNCTIONS)('%s has at run time all that it loads', async (name) => {
    const script = `import * as module from ${JSON.stringify(bundle(name).file)};
      console.log(typeof module.handler);`;

    const environment =
      { ingest: INGEST, redrive: REDRIVE, compaction: COMPACTION }[name as string] ?? QUERYING;
    const { stdout } = await runScript(script, environment);

    expect(stdout).toBe('function\n');
  });

  test('ingest answers', async () => {
    const event = JSON.stringify(httpApiEvent({ path: '/health' }));
    const script = `import { handler } from ${JSON.stringify(bundle('ingest').file)};
      console.log(JSON.stringify(await handler(${event})));`;

    const { stdout } = await runScript(script, INGEST);

    expect(JSON.parse(stdout)).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
  });

  test('ingest holds neither the SQL compiler nor endpoints', () => {
    const unused =
      /^src\/(endpoints\/|sql\/(compile\.ts|(bind|functions|parse|print|regex)\/)|lql\/(lql|condition|nested|table)\.ts)/;
    expect(bundle('ingest').sources.filter((source) => unused.test(source))).toEqual([]);
  });

  test.each(['ingest', 'query', 'redrive'])(
    '%s finds credentials in its environment only',
    (name) => {
      const others = /credential-provider-(?!env|node)/;
      expect(bundle(name).sources.filter((source) => others.test(source))).toEqual([]);
    },
  );

  test('ingest holds no client of S3', () => {
    const client = /node_modules\/@aws-sdk\/client-s3\//;
    expect(bundle('ingest').sources.filter((source) => client.test(source))).toEqual([]);
  });

  test('ingest holds no locales of zod', () => {
    const locales = bundle('ingest').sources.filter((source) => source.includes('/locales/'));
    expect(locales.filter((source) => !source.endsWith('/en.js'))).toEqual([]);
  });

  test('ingest stays small, because every cold start reads all of it', () => {
    expect(gzipSync(bundle('ingest').code).byteLength).toBeLessThan(260_000);
  });
});
