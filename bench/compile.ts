/**
 * Compile time of queries over `logs.all` for Athena. `npm run bench:compile`
 *
 * - warm: the whole compile of a query, as a ratio to its parse step alone (the endpoint's text and
 *   the consumer's, which every compile parses anew).
 * - cold: a fresh process that loads the compiler and compiles one query, as a ratio to a process
 *   that does nothing; from the sources, whose types Node strips, and from one bundle, as a Lambda
 *   function loads it.
 * - size: the compiler bundled and minified, then gzipped.
 */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { BUILT_IN_ENDPOINTS } from '../src/bootstrap/built-in-endpoints.ts';
import { compile } from '../src/sql/compile.ts';
import { parse } from '../src/sql/parse/parse.ts';
import { compileInput } from './compile-input.ts';
import { COMPILE_QUERIES, type CompileQuery } from './compile-queries.ts';

const WARM_UP_ROUNDS = 100;
const ROUNDS = 300;
const PROCESSES = 7;

const LOGS_ALL = BUILT_IN_ENDPOINTS.find(({ name }) => name === 'logs.all')?.query ?? '';

let written = 0;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Microseconds. */
function timed(run: () => void): number {
  const startedAt = performance.now();
  run();
  return (performance.now() - startedAt) * 1000;
}

/** Rounds go through all queries in turn, so that no query has the processor's caches to itself. */
function measureWarm(queries: readonly CompileQuery[]): void {
  const samples = queries.map(({ name, sql }) => ({
    name,
    sql,
    input: compileInput(LOGS_ALL, sql),
    compiles: [] as number[],
    parses: [] as number[],
  }));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const { sql, input, compiles, parses } of samples) {
      const compiled = timed(() => {
        written += compile(input).text.length;
      });
      const parsed = timed(() => {
        written += parse(LOGS_ALL).ctes.length + parse(sql).ctes.length;
      });
      if (round >= 0) {
        compiles.push(compiled);
        parses.push(parsed);
      }
    }
  }
  for (const { name, sql, input, compiles, parses } of samples) {
    report(`warm ${name}`, median(compiles), median(parses), [
      `${sql.length} characters to ${compile(input).text.length}`,
    ]);
  }
  report(
    'warm, median query',
    median(samples.map(({ compiles }) => median(compiles))),
    median(samples.map(({ parses }) => median(parses))),
    [`${samples.length} queries`],
  );
}

function report(what: string, ours: number, theirs: number, notes: readonly string[]): void {
  console.log(
    `compile ${what.padEnd(28)} ratio ${(ours / theirs).toFixed(2)}  ` +
      `${ours.toFixed(0)} us, parse alone ${theirs.toFixed(0)} us, ${notes.join(', ')}`,
  );
}

/** Milliseconds that a process takes from its start to its end. */
function processTime(file: string, argv: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [file, ...argv], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`A process ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}

async function measureCold(directory: string, { name, sql }: CompileQuery): Promise<void> {
  const source = fileURLToPath(new URL('compile-once.ts', import.meta.url));
  const bundle = join(directory, 'compile-once.mjs');
  const empty = join(directory, 'empty.mjs');
  writeFileSync(bundle, await bundled(source));
  writeFileSync(empty, '');
  const samples = [empty, bundle, source].map((file) => ({ file, times: [] as number[] }));
  for (let round = -1; round < PROCESSES; round++) {
    for (const { file, times } of samples) {
      const time = processTime(file, [LOGS_ALL, sql]);
      if (round >= 0) times.push(time);
    }
  }
  const [nothing = Number.NaN, fromBundle = Number.NaN, fromSource = Number.NaN] = samples.map(
    ({ times }) => median(times),
  );
  for (const [from, ms] of [['bundle', fromBundle] as const, ['sources', fromSource] as const]) {
    console.log(
      `compile cold from ${from.padEnd(18)} ratio ${(ms / nothing).toFixed(2)}  ` +
        `${ms.toFixed(1)} ms, empty process ${nothing.toFixed(1)} ms, ` +
        `so ${(ms - nothing).toFixed(1)} ms to load and compile "${name}"`,
    );
  }
}

async function bundled(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node24',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild wrote nothing.');
  return file.contents;
}

async function measureSize(): Promise<void> {
  const code = await bundled(fileURLToPath(new URL('../src/sql/compile.ts', import.meta.url)));
  console.log(
    `compile size: ${(code.length / 1024).toFixed(1)} KB minified, ` +
      `${(gzipSync(code).length / 1024).toFixed(1)} KB gzipped`,
  );
}

const directory = await mkdtemp(join(tmpdir(), 'sluice-bench-compile-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

measureWarm(COMPILE_QUERIES);
const charted = COMPILE_QUERIES.find(({ name }) => name === 'chart by minute');
if (charted === undefined) throw new Error('There is no query to load the compiler for.');
await measureCold(directory, charted);
await measureSize();
if (written === 0) throw new Error('Nothing was measured.');
