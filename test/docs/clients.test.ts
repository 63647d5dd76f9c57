import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ADMIN_KEY, shared, startService } from '../e2e/support/server.ts';

const service = shared(startService);

test('the commands of docs/clients/README.md make a source, a key and a query', async () => {
  const index = new URL('../../docs/clients/README.md', import.meta.url);
  const blocks = [...(await readFile(index, 'utf8')).matchAll(/^```sh\n(.*?)^```$/gms)];
  const commands = blocks.map(([, block]) => block).join('');

  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    env: { PATH: process.env.PATH, URL: service().sluice.url, SLUICE_ADMIN_KEY: ADMIN_KEY },
  });

  expect(stdout).toMatch(/"scopes":"ingest:source:[\da-f-]{36}"/);
  expect(stdout).toMatch(/\{"result":\[\]\}$/);
});
