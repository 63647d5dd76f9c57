import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ADMIN_KEY, shared, startService } from './support/server.ts';

const service = shared(startService);

/** The commands of the README between `<!-- tour -->` and `<!-- /tour -->`. */
async function commands(): Promise<string[]> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [, tour = ''] = /^<!-- tour -->$(.*)^<!-- \/tour -->$/ms.exec(readme) ?? [];
  return [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command = '']) => command);
}

/** Runs a command as a reader would, against the service under test. @returns its JSON. */
async function run(command: string): Promise<unknown> {
  const here = command.replaceAll('http://localhost:4000', service().sluice.url);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here], {
    env: { PATH: process.env.PATH, SLUICE_ADMIN_KEY: ADMIN_KEY },
  });
  return JSON.parse(stdout);
}

test('the tour of the README works as it is written', async () => {
  const answers: unknown[] = [];

  for (const command of await commands()) {
    await service().settle();
    answers.push(await run(command));
  }

  expect(answers).toEqual([
    { message: 'Logged!' },
    {
      result: [
        {
          id: expect.any(String),
          timestamp: expect.any(Number),
          event_message: 'GET | 200 | /rest/v1/users',
          metadata: {
            request: {
              method: 'GET',
              path: '/rest/v1/users',
              url: 'https://demo.example.com/rest/v1/users',
            },
            response: { status_code: 200, origin_time: 12 },
          },
        },
      ],
    },
    { result: [{ timestamp: expect.any(Number), method: 'GET', count: 1, errors: 0 }] },
    {
      result: [
        {
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00$/),
          total_rest_requests: 1,
          total_storage_requests: 0,
          total_auth_requests: 0,
          total_realtime_requests: 0,
        },
      ],
    },
  ]);
});
