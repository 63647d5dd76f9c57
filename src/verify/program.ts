import { randomBytes } from 'node:crypto';
import { AWS_CHECKS } from './aws/aws-checks.ts';
import type { AwsSide } from './aws/aws-side.ts';
import { type AwsOptions, openAws } from './aws/open-aws.ts';
import { CHECKS, VOLUME } from './checks/index.ts';
import { Gate } from './client/gate.ts';
import { HttpClient } from './client/http-client.ts';
import { Latencies } from './client/latencies.ts';
import { reasonOf } from './client/reason.ts';
import { Secrets } from './client/secrets.ts';
import { type Options, OptionsError, readOptions } from './options.ts';
import { printReport, type Report } from './report.ts';
import type { Outcome } from './trial/check.ts';
import { cleanUp } from './trial/clean-up.ts';
import { runChecks } from './trial/run-checks.ts';
import { Trial } from './trial/trial.ts';

/** Requests in flight: more would be a load test. */
const PLACES = 4;
/** What checks other than waiting for the lake take, at most; then the run ends. */
const OTHERWISE_S = 900;
/** Requests of a run that are sent again for lack of capacity: where more would be, there is none. */
const MAX_REPEATED = 10;
/** Lines about waiting are this far apart. */
const PROGRESS_MS = 5_000;
const CLEAN_UP_MS = 120_000;

export const EXIT = { holds: 0, doesNotHold: 1, couldNotRun: 2, interrupted: 130 } as const;

export interface Surroundings {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  /** Progress, and why it could not run. */
  readonly err: (text: string) => void;
  /** Aborted when the run is to end early, and to clean up. */
  readonly interrupted: AbortSignal;
  /** The AWS side; an account's when left out. */
  readonly aws?: (options: AwsOptions) => AwsSide;
}

/** Runs `npm run verify`. Never prints a key. @returns the exit status. */
export async function verify(surroundings: Surroundings): Promise<number> {
  const secrets = new Secrets();
  const out = (text: string) => surroundings.out(secrets.hide(text));
  const err = (text: string) => surroundings.err(secrets.hide(text));
  try {
    const names = [...CHECKS, ...AWS_CHECKS].map(({ name }) => name);
    const options = readOptions(surroundings.args, surroundings.environment, names);
    secrets.add(options.key);
    if (options.list) {
      for (const { name, says } of [...CHECKS, ...AWS_CHECKS]) out(`${name.padEnd(21)}${says}\n`);
      return EXIT.holds;
    }
    return await verifyAt(options, { ...surroundings, out, err }, secrets);
  } catch (error) {
    err(
      `${error instanceof CannotRun || error instanceof OptionsError ? error.message : reasonOf(error)}\n`,
    );
    return EXIT.couldNotRun;
  }
}

/** Why nothing was checked, and what to do. */
class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

async function verifyAt(
  options: Options,
  surroundings: Surroundings,
  secrets: Secrets,
): Promise<number> {
  const { out, err, interrupted } = surroundings;
  const latencies = new Latencies();
  const repeated: Record<string, number> = {};
  const timeUp = AbortSignal.timeout((options.timeoutSeconds + OTHERWISE_S) * 1_000);
  const line = {
    url: options.url,
    gate: new Gate(PLACES),
    latencies,
    mayRepeat: (status: number) => {
      if (Object.values(repeated).reduce((sum, each) => sum + each, 0) >= MAX_REPEATED)
        return false;
      repeated[status] = (repeated[status] ?? 0) + 1;
      return true;
    },
  };
  const signal = AbortSignal.any([interrupted, timeUp]);
  const admin = new HttpClient({ ...line, signal }, options.key);
  await requireAdmin(admin);

  const prefix = `verify_${randomBytes(4).toString('hex')}`;
  const { events, requests, queries } = VOLUME;
  err(
    `This sends at most about ${events} events in ${requests} requests and runs ${queries} queries, ` +
      `${PLACES} at a time; all that it makes begins with ${prefix}.\n`,
  );
  const progress = paced(err);
  const trial = new Trial({
    admin,
    prefix,
    secrets,
    signal,
    progress,
    patienceSeconds: options.timeoutSeconds,
  });
  const tell = ({ name, status }: Outcome) => err(`${name}: ${status}\n`);
  const { aws } = options;
  const side = aws && (surroundings.aws ?? openAws)({ ...aws, url: options.url, signal });
  const ofAws = side === undefined ? [] : runChecks(AWS_CHECKS, side, options, tell);
  const checks = [...(await runChecks(CHECKS, trial, options, tell)), ...(await ofAws)];

  // What was interrupted has to be cleaned up all the same.
  const cleaner = new HttpClient(
    { ...line, signal: AbortSignal.timeout(CLEAN_UP_MS) },
    options.key,
  );
  err('Deleting what was made.\n');
  const left = await cleanUp(cleaner, prefix);
  const report: Report = {
    url: options.url,
    prefix,
    startedAt: new Date(trial.startedAt).toISOString(),
    seconds: Math.round((Date.now() - trial.startedAt) / 1_000),
    checks,
    freshness: Object.fromEntries(trial.freshness),
    latencies: latencies.summary(),
    repeated,
    left,
    interrupted: signal.aborted,
  };
  out(options.json ? `${JSON.stringify(report, undefined, 2)}\n` : printReport(report));
  if (checks.some(({ status }) => status === 'does not hold')) return EXIT.doesNotHold;
  if (interrupted.aborted) return EXIT.interrupted;
  return timeUp.aborted ? EXIT.couldNotRun : EXIT.holds;
}

/** @throws CannotRun when the service is out of reach, or the key may not do what checks need. */
async function requireAdmin(admin: HttpClient): Promise<void> {
  const health = await admin
    .as(undefined)
    .get('/health')
    .catch((error: unknown) => {
      throw new CannotRun(
        `The service cannot be reached at ${admin.url}: ${reasonOf(error)}. Check --url.`,
      );
    });
  if (health.status !== 200) {
    throw new CannotRun(
      `GET ${admin.url}/health was answered with ${health}. Check --url, then the service itself.`,
    );
  }
  const answer = await admin.get('/api/access-tokens');
  if (answer.status === 401) {
    throw new CannotRun(
      'The service does not know the key, or the key lacks the scope private. docs/deploy.md#deploy-the-stacks says how to read the admin key.',
    );
  }
  if (answer.status !== 200) {
    throw new CannotRun(
      `GET /api/access-tokens was answered with ${answer}. Is this the address of a Sluice?`,
    );
  }
}

/** Passes on a text now and then. */
function paced(err: (text: string) => void): (text: string) => void {
  let last = 0;
  return (text) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    err(`${text}\n`);
  };
}
