import { parseArgs } from 'node:util';

export const USAGE = `npm run verify -- --url <url> [--key <key>] [options]

  --url      where the service answers, as http://localhost:4000 or the output Url of the service stack
  --key      a key with the scope private; better given as SLUICE_ADMIN_KEY, which no history keeps
  --timeout  seconds that events may take to become visible (600)
  --only     names of checks with commas between them, and --skip
  --json     prints the report as JSON
  --list     prints the checks
  --aws      looks at the AWS side too, with the terminal's credentials
  --env      environment of the deployment (prod), with --aws
  --region   its Region, with --aws; else AWS_REGION`;

export interface Options {
  readonly url: string;
  readonly key: string;
  readonly timeoutSeconds: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly json: boolean;
  readonly list: boolean;
  /** Undefined: the AWS side is not looked at. */
  readonly aws: { readonly env: string; readonly region: string } | undefined;
}

/** What was typed cannot be run. The message never repeats a value: it may be a key in the wrong place. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

const LONGEST_TIMEOUT_S = 3_600;

/**
 * @param args what follows the program's name.
 * @param names of all checks.
 * @throws OptionsError
 */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Options {
  const values = parse(args);
  const list = values.list === true;
  const key = values.key ?? environment.SLUICE_ADMIN_KEY ?? '';
  if (!list && values.url === undefined) throw new OptionsError(`--url is missing.\n\n${USAGE}`);
  if (!list && key === '')
    throw new OptionsError('The key is missing: set SLUICE_ADMIN_KEY, or give --key.');
  if (!/^[\x21-\x7e]*$/.test(key))
    throw new OptionsError('The key has characters that no key has.');
  const timeoutSeconds = Number(values.timeout ?? 600);
  if (!(timeoutSeconds >= 1 && timeoutSeconds <= LONGEST_TIMEOUT_S)) {
    throw new OptionsError(`--timeout is a number of seconds, 1 to ${LONGEST_TIMEOUT_S}.`);
  }
  const chosen = (text = '') => {
    const wanted = text.split(',').filter(Boolean);
    if (wanted.every((name) => names.includes(name))) return wanted;
    throw new OptionsError(`--only and --skip take names of checks: ${names.join(', ')}.`);
  };
  const region = values.region ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  if (values.aws === true && region === undefined) {
    throw new OptionsError('--aws needs a Region: give --region, or set AWS_REGION.');
  }
  return {
    url: list ? '' : readUrl(values.url ?? ''),
    key,
    timeoutSeconds,
    only: chosen(values.only),
    skip: chosen(values.skip),
    json: values.json === true,
    list,
    aws:
      values.aws === true && region !== undefined
        ? { env: values.env ?? 'prod', region }
        : undefined,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        timeout: { type: 'string' },
        only: { type: 'string' },
        skip: { type: 'string' },
        json: { type: 'boolean' },
        list: { type: 'boolean' },
        aws: { type: 'boolean' },
        env: { type: 'string' },
        region: { type: 'string' },
      },
    }).values;
  } catch {
    // Its own message repeats what it did not understand.
    throw new OptionsError(`The options cannot be read.\n\n${USAGE}`);
  }
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new OptionsError('--url is an address such as https://logs.example.com.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new OptionsError(
      '--url has no user, password, query string or fragment; a key is given by SLUICE_ADMIN_KEY or --key.',
    );
  }
  return url.href.replace(/\/+$/, '');
}
