import { request as nodeRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { LimitedServer } from './server.ts';

/** Short requests that took a server down, or could. */
export interface Bomb {
  readonly name: string;
  /** What it was answered, in a few words. */
  readonly send: (server: LimitedServer, signal: AbortSignal) => Promise<string>;
}

/** Calls in calls: what printed its argument twice at each level would print it 16,384 times. */
function nested(around: (inner: string) => string, innermost = 'x', depth = 14): string {
  let text = innermost;
  for (let level = 0; level < depth; level += 1) text = around(text);
  return text;
}

const OVER_NUMBERS = 'from unnest(generate_array(1, 10)) as x';
const OVER_TEXTS = "from unnest(['a,b', 'c,d']) as x";
/** Two thousand million pairs, each looked at; of no use to a planner. */
const LONG_QUERY = (salt: number) =>
  'select count(*) as n from unnest(generate_array(1, 10000)) as a ' +
  'cross join unnest(generate_array(1, 10000)) as b cross join unnest(generate_array(1, 100)) as c ' +
  `where mod(a * b + c + ${salt}, 7) = 3`;

export const BOMBS: readonly Bomb[] = [
  sql(
    'C1 approx_quantiles(x, 100000000)',
    `select approx_quantiles(x, 100000000) as q ${OVER_NUMBERS}`,
  ),
  sql('C2 nested /', `select ${nested((x) => `(${x} / 2)`)} as v ${OVER_NUMBERS}`),
  sql('C2 nested div', `select ${nested((x) => `div(${x}, 2)`)} as v ${OVER_NUMBERS}`),
  sql('C2 nested mod', `select ${nested((x) => `mod(${x}, 7)`)} as v ${OVER_NUMBERS}`),
  sql('C2 nested right', `select ${nested((x) => `right(${x}, 2)`)} as v ${OVER_TEXTS}`),
  sql('C2 nested greatest', `select ${nested((x) => `greatest(${x}, 2)`)} as v ${OVER_NUMBERS}`),
  sql('C2 nested pow', `select ${nested((x) => `pow(${x}, 1)`)} as v ${OVER_NUMBERS}`),
  sql('C2 nested substr', `select ${nested((x) => `substr(${x}, -2)`)} as v ${OVER_TEXTS}`),
  sql('C2 nested [offset]', `select ${nested((x) => `[${x}][offset(0)]`)} as v ${OVER_TEXTS}`),
  sql(
    'C2 nested split',
    `select ${nested((x) => `split(${x}, ',')[safe_offset(0)]`, 'x', 8)} as v ${OVER_TEXTS}`,
  ),
  sql(
    'C2 nested json_value',
    `select ${nested((x) => `json_value(${x}, '$.a')`, 'x', 8)} as v ${OVER_TEXTS}`,
  ),
  sql(
    'C2 nested cast',
    `select ${nested((x) => `cast(cast(${x} as string) as int64)`)} as v ${OVER_NUMBERS}`,
  ),
  { name: 'C3 four long queries and a fifth', send: fourLongOnes },
  sql('C4 generate_array(1, 200000000)', 'select array_length(generate_array(1, 200000000)) as n'),
  sql(
    'C4 generate_array from a column',
    'select sum(array_length(generate_array(1, x * 40000000))) as n from unnest([1, 2, 3, 4, 5]) as x',
  ),
  sql(
    'C4 generate_array, 10,000 times 10,000',
    'select sum(array_length(generate_array(x, x + 9999))) as n from unnest(generate_array(1, 10000)) as x',
  ),
  sql('C4 repeat chain', `select length(${nested((x) => `repeat(${x}, 20)`, "'x'", 8)}) as n`),
  sql(
    'C4 repeat of columns',
    `select max(length(repeat(cast(x as string), 900000))) as n from unnest(generate_array(1, 10000)) as x`,
  ),
  sql(
    'C4 repeat of columns, as long as may be',
    'select max(length(repeat(chr(64 + mod(x, 60)), 65536))) as n from unnest(generate_array(1, 10000)) as x',
  ),
  sql(
    'C4 replace, lpad and concat of those',
    "select max(length(concat(lpad(cast(x as string), 65536, 'x'), replace(repeat('a', 32000 + mod(x, 700)), 'a', 'bc')))) as n from unnest(generate_array(1, 10000)) as x",
  ),
  sql(
    'C4 array_agg of long texts',
    "select array_length(array_agg(repeat('x', 50000 + x))) as n from unnest(generate_array(1, 10000)) as x",
  ),
  sql(
    'C4 concat that doubles in a chain of CTEs',
    `with t0 as (select 'xxxxxxxxxx' as v), ${Array.from({ length: 29 }, (_, n) => `t${n + 1} as (select concat(v, v) as v from t${n})`).join(', ')} select length(v) as n from t29`,
  ),
  sql(
    'C4 array_concat that doubles in a chain of CTEs',
    `with t0 as (select [1, 2, 3] as v), ${Array.from({ length: 29 }, (_, n) => `t${n + 1} as (select v || v as v from t${n})`).join(', ')} select array_length(v) as n from t29`,
  ),
  sql(
    'C4 string_agg that multiplies',
    "with t0 as (select repeat('x', 100) as v), " +
      [1, 2, 3, 4]
        .map(
          (n) =>
            `t${n} as (select string_agg(v, '') as v from t${n - 1} cross join unnest(generate_array(1, 1000)))`,
        )
        .join(', ') +
      ' select length(v) as n from t4',
  ),
  sql(
    'C4 result of 300 MB',
    "select repeat('x', 300000) as v, x from unnest(generate_array(1, 1000)) as x",
  ),
  sql(
    'C4 count(distinct long text)',
    'select count(distinct concat(e.event_message, cast(x as string))) as n ' +
      'from edge_logs as e cross join unnest(generate_array(1, 4000)) as x',
  ),
  { name: 'C5 19 KB gzip of 6.6 million []', send: emptyArrays },
  sql(
    'C6 1,000 CTEs',
    `with ${Array.from({ length: 1_000 }, (_, n) => `t${n} as (select ${n === 0 ? '1 as x' : `x from t${n - 1}`})`).join(', ')} select x from t999`,
  ),
  { name: 'C10 GET with a body of 2 MB', send: getWithBody },
];

/** A consumer's text on an endpoint that everybody has. */
function sql(name: string, text: string): Bomb {
  return { name, send: async (server, signal) => describe(await query(server, text, signal)) };
}

function query(server: LimitedServer, text: string, signal: AbortSignal): Promise<Response> {
  return fetch(`${server.origin}/api/endpoints/query/logs.all`, {
    method: 'POST',
    headers: { ...server.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ project: 'bench', sql: text }),
    signal,
  });
}

async function describe(answer: Response): Promise<string> {
  const text = await answer.text();
  const code = /"code":"([a-z_]+)"/.exec(text.slice(0, 2_000))?.[1];
  return `${answer.status} ${code ?? `${text.length} characters`}`;
}

/** The fifth has a key of its own, and asks for little. */
async function fourLongOnes(server: LimitedServer, signal: AbortSignal): Promise<string> {
  const four = [1, 2, 3, 4].map(async (salt) =>
    describe(await query(server, LONG_QUERY(salt), signal)),
  );
  const settled = Promise.allSettled(four);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const other = { ...server, headers: { 'X-API-KEY': await otherKey(server) } };
  const from = performance.now();
  const fifth = await query(other, 'select count(*) as n from edge_logs', signal).then(
    describe,
    String,
  );
  const fifthMs = Math.round(performance.now() - from);
  const answers = (await settled).map((one) =>
    one.status === 'fulfilled' ? one.value : String(one.reason),
  );
  return `fifth: ${fifth} in ${fifthMs} ms; four: ${[...new Set(answers)].join(', ')}`;
}

async function otherKey(server: LimitedServer): Promise<string> {
  const answer = await fetch(`${server.origin}/api/access-tokens`, {
    method: 'POST',
    headers: { ...server.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ description: 'another caller', scopes: 'query' }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (token === undefined) throw new Error(`There is no second key: ${answer.status}`);
  return token;
}

async function emptyArrays(server: LimitedServer, signal: AbortSignal): Promise<string> {
  const body = gzipSync(`[${'[],'.repeat(6_600_000)}[]]`);
  const answer = await fetch(`${server.origin}/logs?source_name=cloudflare.logs.prod`, {
    method: 'POST',
    headers: { ...server.headers, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body,
    signal,
  });
  return describe(answer);
}

/** fetch refuses to send one. */
function getWithBody(server: LimitedServer, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = Buffer.alloc(2_000_000, 'x');
    const request = nodeRequest(
      `${server.origin}/api/endpoints/query/logs.all?project=bench`,
      { headers: { ...server.headers, 'Content-Length': body.length }, signal },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(`${answer.statusCode}`));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
