/**
 * What a cold start of each function costs: a new Node process with nothing but the deployed bundle, up
 * to the first answer, as a ratio to a process that does nothing. `npm run bench:cold-start [function ...]`
 *
 * AWS is on loopback: dynalite, and stand-ins that answer at once. Lambda's processors are slower, and
 * its archives have to be fetched and unpacked: the ratios and bytes carry over, the times do not.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Bundle, bundle, writeBundle } from '../lib/shared/bundle.ts';
import { startDynamoDB } from '../src/local/dynalite/dynamodb.ts';
import { httpApiEvent } from '../test/lambdas/http-api-event.ts';
import { startAws } from '../test/lambdas/support/aws-stand-in.ts';
import { type Invocation, invokeBundle } from '../test/lambdas/support/lambda-process.ts';
import { BOOTSTRAP, INGEST } from '../test/lambdas/variables.ts';
import { serveDynamoDB } from '../test/support/dynamodb-endpoint.ts';

const PROCESSES = 15;

const ADMIN_KEY = 'Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i';
const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };

/** In the order in which they need each other: the first one makes sources, endpoints and the key. */
const FIRST_EVENTS = {
  bootstrap: {},
  ingest: httpApiEvent({
    method: 'POST',
    path: '/logs',
    query: 'source_name=postgres.logs',
    headers,
    body: '{"message":"checkpoint complete","metadata":{"level":"info"}}',
  }),
  // The run that warms up fills the cache: all that are measured are answered from it.
  query: httpApiEvent({
    path: '/api/endpoints/query/usage.api-counts',
    query: 'project=default&interval=daily',
    headers,
  }),
  management: httpApiEvent({ path: '/api/sources', headers }),
  warmer: {},
  redrive: { Records: [] },
  transformation: {
    deliveryStreamArn: 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/landing',
    records: [{ recordId: '1', data: Buffer.from('{"id":"a"}').toString('base64') }],
  },
} as const;
type Name = keyof typeof FIRST_EVENTS;
const NAMES = Object.keys(FIRST_EVENTS) as Name[];

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Milliseconds of a process that does nothing. */
function emptyProcess(): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, ['--input-type=module', '-e', 'process.exit()'], { env: {} });
  return performance.now() - startedAt;
}

/** Raw and compressed KB of the modules that a cold start loads, and of the others. */
function sizes({ modules }: Bundle): string {
  const of = (isInitial: boolean): string => {
    const code = modules.filter((module) => module.isInitial === isInitial).map((one) => one.code);
    const raw = code.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const packed = code.reduce((sum, bytes) => sum + gzipSync(bytes).byteLength, 0);
    return `${(raw / 1000).toFixed(0)} KB (${(packed / 1000).toFixed(1)} gzipped)`;
  };
  return `loads ${of(true)}, later ${of(false)}`;
}

const chosen = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'sluice-cold-start-'));
const dynamodb = await startDynamoDB(join(root, 'dynamodb'));
const served = await serveDynamoDB(dynamodb);
const aws = await startAws(ADMIN_KEY);
try {
  const environment = {
    ...INGEST,
    ...BOOTSTRAP,
    ...aws.environment,
    AWS_ENDPOINT_URL_DYNAMODB: served.endpoint,
  };
  for (const name of NAMES) {
    const made = bundle(name);
    const directory = join(root, name);
    writeBundle(made, directory, ...(name === 'bootstrap' ? ['src/bootstrap/built-in'] : []));
    const start = () => invokeBundle(directory, environment, [FIRST_EVENTS[name]]);
    await start();
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const runs: Invocation<unknown>[] = [];
    const empty: number[] = [];
    // In turn, so that both see the same machine.
    for (let round = 0; round < PROCESSES; round++) {
      empty.push(emptyProcess());
      runs.push(await start());
    }
    const [base, total] = [median(empty), median(runs.map(({ totalMs }) => totalMs))];
    console.log(
      [
        `cold start ${name.padEnd(11)}`,
        `ratio ${(total / base).toFixed(2)}`,
        `${(total - base).toFixed(0)} ms over an empty process of ${base.toFixed(0)} ms:`,
        `${median(runs.map(({ loadMs }) => loadMs)).toFixed(0)} ms to load,`,
        `${median(runs.map(({ firstMs }) => firstMs)).toFixed(0)} ms to the first answer;`,
        sizes(made),
      ].join('  '),
    );
  }
} finally {
  await aws.close();
  await served.close();
  await dynamodb.close();
  rmSync(root, { recursive: true });
}
