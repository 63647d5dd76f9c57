/** Reads log lines of a deployed function and prints them with places in this project. */
import { text } from 'node:stream/consumers';
import { FUNCTION_NAMES } from '../lambdas/shared/environment.ts';
import { bundle } from '../lib/shared/bundle.ts';
import { traced } from '../lib/shared/source-map.ts';

const name = FUNCTION_NAMES.find((one) => one === process.argv[2]);
if (name === undefined) {
  process.stderr.write(
    `Usage: npm run trace -- <${FUNCTION_NAMES.join(' | ')}> < lines of the log\n`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write(traced(await text(process.stdin), bundle(name)));
}
