import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKS } from '../../src/verify/checks/index.ts';
import type { Key } from '../e2e/support/client.ts';
import { type Program, startProgram } from '../e2e/support/program.ts';
import { ADMIN_KEY, temporaryDirectory } from '../e2e/support/server.ts';
import { startProxy, type Tampering } from '../e2e/support/tampering-proxy.ts';

/** These wait for a minute, or keep the machine busy for as long; `verify.wire.ts` has them. */
const LONG = ['warming', 'slow-queries'];

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let program: Program;
beforeAll(async () => {
  directory = await temporaryDirectory();
  program = await startProgram(directory.path);
});
afterAll(async () => {
  await program.end('SIGKILL');
  await directory.remove();
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as a person does. */
async function verify(
  args: readonly string[],
  key: string | undefined = ADMIN_KEY,
): Promise<Ended> {
  const env = { PATH: process.env.PATH, ...(key !== undefined && { SLUICE_ADMIN_KEY: key }) };
  return promisify(execFile)(process.execPath, ['bin/verify.ts', ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** Names of all that is there, apart from what is shipped and of the admin key. */
async function leftovers(): Promise<string> {
  const { sluice } = program;
  const paths = ['/api/sources', '/api/endpoints', '/api/access-tokens', '/api/rules'];
  const answers = await Promise.all(paths.map((path) => sluice.call(path)));
  return answers.map(({ text }) => text).join('\n');
}

test('everything holds of the local server, twice at the same time, and nothing is left', async () => {
  const args = ['--url', program.sluice.url, '--skip', LONG.join(',')];

  const [table, json] = await Promise.all([verify(args), verify([...args, '--json'])]);

  expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 0 do not, /) });
  for (const { name } of CHECKS) expect(table.stdout).toMatch(new RegExp(`^${name} `, 'm'));
  const report = JSON.parse(json.stdout);
  const held = report.checks.filter(({ status }: { status: string }) => status === 'holds');
  // A new server has compacted nothing.
  expect(held).toHaveLength(CHECKS.length - LONG.length - 1);
  expect(report).toMatchObject({
    left: [],
    interrupted: false,
    freshness: { events: expect.any(Number) },
  });
  expect(json.code).toBe(0);
  for (const { stdout, stderr } of [table, json]) expect(stdout + stderr).not.toContain(ADMIN_KEY);
  expect(await leftovers()).not.toContain('verify_');
});

test('an interrupted run deletes what it made, and says so', async () => {
  const env = { PATH: process.env.PATH, SLUICE_ADMIN_KEY: ADMIN_KEY };
  const args = ['bin/verify.ts', '--url', program.sluice.url, '--only', 'warming,lake-formats'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // Warming takes a minute, so it is under way.
  await expect.poll(() => output, { timeout: 20_000 }).toContain('lake-formats: holds');
  expect(await leftovers()).toContain('verify_');

  child.kill('SIGINT');
  const [code] = await once(child, 'close');

  expect(code).toBe(130);
  expect(output).toContain('Ended before its end: ');
  expect(output).toMatch(/^warming +not checked .*the run was ended/m);
  expect(await leftovers()).not.toContain('verify_');
});

test.each([
  { what: 'a wrong key', key: 'wrong-key-that-nobody-knows', says: /does not know the key/ },
  { what: 'no key', key: '', says: /The key is missing/ },
])('with $what it does not run: 2', async ({ key, says }) => {
  const ended = await verify(['--url', program.sluice.url], key);

  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) });
  if (key !== '') expect(ended.stderr).not.toContain(key);
});

test('with a key that may only send and query it does not run: 2', async () => {
  const key: Key = await program.sluice.createKey('ingest query');

  const ended = await verify(['--url', program.sluice.url, '--key', key.token], undefined);

  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('scope private') });
  expect(ended.stderr).not.toContain(key.token);
});

test('where nothing answers it does not run: 2', async () => {
  const ended = await verify(['--url', 'http://127.0.0.1:9']);

  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be reached') });
});

describe('what is broken on purpose is found, with what to do', () => {
  const BROKEN: readonly (Tampering & {
    what: string;
    check: string;
    says: RegExp;
    todo: string;
  })[] = [
    {
      what: 'a cache that never hits',
      headers: (headers) => ({ ...headers, 'cache-control': 'no-cache' }),
      check: 'cache',
      says: /Sluice-Cache of the second call\n +expected {2}hit\n +came +miss/,
      todo: 'docs/runbook.md#table-throttled',
    },
    {
      what: 'redaction that is off',
      headers: (headers) => ({ ...headers, 'lf-endpoint-redact-pii': 'false' }),
      check: 'redaction',
      says: /with redact_pii\n +expected +\{"ip":"REDACTED".*\n +came +\{.*198\.51\.100\.7/,
      todo: 'take the keys of these back',
    },
    {
      what: 'a key whose scope is ignored',
      headers: (headers) =>
        headers['x-api-key'] === undefined ? headers : { ...headers, 'x-api-key': ADMIN_KEY },
      check: 'scopes',
      says: /query A\n +expected {2}401\n +came +200/,
      todo: 'This is a hole',
    },
    {
      what: 'rows whose large integers were rounded on the way',
      text: (text) => text.replaceAll('9007199254740993', '9007199254740992'),
      check: 'lake-formats',
      says: /one object with everything in it\n +expected .*9007199254740993.*\n +came .*9007199254740992/,
      todo: 'docs/runbook.md#conversion-failed',
    },
  ];

  test.each(BROKEN)(
    '$what',
    async ({ headers, text, check, says, todo }) => {
      const proxy = await startProxy(program.sluice.url, {
        ...(headers && { headers }),
        ...(text && { text }),
      });
      const { code, stdout, stderr } = await verify([
        '--url',
        proxy.url,
        '--only',
        check,
        '--timeout',
        '5',
      ]);
      await proxy.close();

      expect(stdout).toMatch(new RegExp(`^${check} +does not hold`, 'm'));
      expect(stdout).toMatch(says);
      expect(stdout).toContain(todo);
      expect(code).toBe(1);
      expect(stdout + stderr).not.toContain(ADMIN_KEY);
      expect(await leftovers()).not.toContain('verify_');
      // It waits until fields that are new would have been heard of.
    },
    60_000,
  );
});
