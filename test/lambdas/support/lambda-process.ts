import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Invocation<Answer> {
  /** What the handler gave for each event. */
  readonly answers: readonly Answer[];
  /** Milliseconds until the module of the handler was loaded. */
  readonly loadMs: number;
  /** Milliseconds from then until the first answer. */
  readonly firstMs: number;
  /** Milliseconds of the whole process. */
  readonly totalMs: number;
  /** All that was written to standard output and error. */
  readonly log: string;
}

/** Between what a function writes and what this script tells. */
const MARK = '---told---';

/** Makes all waits of `node:timers/promises` end at once. */
const WITHOUT_WAITS = `
  import timers from 'node:timers/promises';
  import { syncBuiltinESMExports } from 'node:module';
  timers.setTimeout = async (ms, value) => value;
  syncBuiltinESMExports();
`;

const SCRIPT = `
  const [, directory, events] = process.argv;
  const startedAt = performance.now();
  const { handler } = await import(directory + '/index.mjs');
  const loadedAt = performance.now();
  const answers = [];
  let answeredAt;
  for (const event of JSON.parse(events)) {
    answers.push(await handler(event, {}));
    answeredAt ??= performance.now();
  }
  const times = { loadMs: loadedAt - startedAt, firstMs: answeredAt - loadedAt };
  process.stdout.write('${MARK}' + JSON.stringify({ answers, ...times }), () => process.exit());
`;

/**
 * Starts a bundle as Lambda does, in a new process that has nothing but the bundle and its environment,
 * and gives it events one after the other.
 *
 * @param waits whether the function waits between its attempts
 * @throws Error when the process ends otherwise, with what it wrote to standard error.
 */
export async function invokeBundle<Answer>(
  directory: string,
  environment: Readonly<Record<string, string>>,
  events: readonly unknown[],
  { waits = true } = {},
): Promise<Invocation<Answer>> {
  const script = waits ? SCRIPT : WITHOUT_WAITS + SCRIPT;
  const startedAt = performance.now();
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, directory, JSON.stringify(events)],
    { cwd: directory, env: { ...environment }, maxBuffer: 64 * 1024 * 1024 },
  );
  const totalMs = performance.now() - startedAt;
  const [written = '', told = ''] = stdout.split(MARK);
  return { ...JSON.parse(told), totalMs, log: written + stderr };
}
