/**
 * Proves a deployment, or the local server: sends events in every format, looks for them in the lake, and
 * checks answers, caches and keys. `npm run verify -- --url <url>`, with the admin key in SLUICE_ADMIN_KEY.
 *
 * Exit status: 0 when everything holds, 1 when something does not, 2 when it could not run, 130 when it was interrupted.
 */
import { verify } from '../src/verify/program.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Once: a second signal ends the process, as if this handler did not exist.
  process.once(signal, () => interruption.abort());
}

process.exitCode = await verify({
  args: process.argv.slice(2),
  environment: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  interrupted: interruption.signal,
});
