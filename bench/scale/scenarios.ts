import { type Outcome, type Scenario, simulate } from './simulation.ts';

const KIB = 1024;
/** Share of a stream's real quotas, and of the load: what happens is the same, in a 64th of the time. */
const SHARE = 1 / 64;

/** A stream of most Regions, with 60 % of its bytes in use by batches of 10. */
const USUAL = {
  quota: { bytes: 1_024 * KIB * SHARE, requests: 1_000 * SHARE, records: 100_000 * SHARE },
  instances: Math.ceil(1_000 * SHARE),
  eventsPerRequest: 10,
  // Of 100, less than the share: a batch is to stay a fraction of what the stream takes in a second.
  redriven: 5,
  streams: 1,
};
const REQUESTS = (0.6 * USUAL.quota.bytes) / 284 / USUAL.eventsPerRequest;

const MINUTE = 60;
const calm = (minutes: number) => ({ seconds: minutes * MINUTE, requestsPerSecond: REQUESTS });
const burst = { seconds: 5 * MINUTE, requestsPerSecond: 10 * REQUESTS };
const refusing = { ...calm(60), mood: { refusing: [0] } };

/** What happens to a deployment now and then. */
export const SCENARIOS: readonly Scenario[] = [
  { ...USUAL, name: 'an hour as usual', phases: [calm(60)] },
  { ...USUAL, name: 'ten times the load for 5 minutes', phases: [calm(5), burst, calm(10)] },
  {
    ...USUAL,
    name: 'the same, three streams',
    streams: 3,
    phases: [calm(5), burst, calm(10)],
  },
  { ...USUAL, name: 'the stream refuses for an hour', phases: [calm(5), refusing, calm(10)] },
  {
    ...USUAL,
    name: 'one of three streams refuses for an hour',
    streams: 3,
    phases: [calm(5), refusing, calm(5)],
  },
  {
    ...USUAL,
    name: 'each call of the stream takes 2 s for 10 minutes',
    phases: [calm(5), { ...calm(10), mood: { callMs: 2_000 } }, calm(5)],
  },
  {
    ...USUAL,
    name: 'a slow day: one event a minute, connections die meanwhile',
    eventsPerRequest: 1,
    phases: [
      { seconds: 1_440 * MINUTE, requestsPerSecond: 1 / MINUTE, mood: { idleBreaksMs: 50_000 } },
    ],
  },
];

/** All scenarios, as a table in Markdown. */
export async function simulationTable(): Promise<string[]> {
  const outcomes: Outcome[] = [];
  for (const scenario of SCENARIOS) outcomes.push(await simulate(scenario));
  return [
    '| what happens | events answered with 200 | lost | twice | parked | wait, median | 99 % | worst | parking empty after |',
    '|---|---|---|---|---|---|---|---|---|',
    ...outcomes.map(line),
  ];
}

function line({ name, acknowledged, lost, twice, parked, wait, drained }: Outcome): string {
  const cells = [
    name,
    acknowledged.toLocaleString('en-US'),
    lost,
    twice,
    `${Math.round((100 * parked) / acknowledged)} %`,
    ...[wait.median, wait.p99, wait.worst].map(duration),
    parked === 0 ? '' : duration(drained),
  ];
  return `| ${cells.join(' | ')} |`;
}

function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  return seconds < 600 ? `${Math.round(seconds)} s` : `${Math.round(seconds / MINUTE)} min`;
}
