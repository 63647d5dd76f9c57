/** The command as an operator runs it: a process of its own, with what it prints and its exit status. */
import { execFile } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { ACCOUNT, READY } from './account.ts';
import { type Answers, denied, Refusal, type StandIn, startStandIn } from './stand-in.ts';

const SECRET = 'wJalrXUtnFEMIbPxRfiCYEXAMPLEKEY';

let standIn: StandIn;
afterEach(() => standIn.close());

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run preflight -- <args>` against the stand-in. */
function preflight(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Run> {
  const env = {
    PATH: process.env.PATH,
    AWS_ENDPOINT_URL: standIn.url,
    AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_SESSION_TOKEN: SECRET,
    AWS_REGION: 'eu-west-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    ...environment,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['bin/preflight.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** The line of the table about a check. */
const lineOf = (stdout: string, check: string) =>
  stdout.split('\n').find((line) => line.includes(`  ${check}  `)) ?? '';

const start = async (answers: Answers = {}) => {
  standIn = await startStandIn({ ...READY, ...answers });
};

describe('npm run preflight', () => {
  test('says that an account is ready, ends with 0 and creates nothing', async () => {
    await start();

    const { status, stdout, stderr } = await preflight(['--env', 'prod']);

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Environment prod in eu-west-1\n\nok +Credentials +Account 1111/);
    expect(stdout).toMatch(/It can be deployed\.\n$/);
    const operations = standIn.calls.map(({ operation }) => operation);
    expect(operations.filter((name) => !/^(Get|List|Describe)/.test(name))).toEqual([]);
  });

  test('ends with 1, says what mends what failed, and creates with --fix what it can', async () => {
    let made = false;
    await start({
      GetParameter: new Refusal('ParameterNotFound'),
      GetDatabase: new Refusal('EntityNotFoundException'),
      CreateDatabase: () => {
        made = true;
        return {};
      },
      GetDataLakeSettings: denied('lakeformation:GetDataLakeSettings'),
      GetAccountSettings: {
        AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 },
      },
      ListServiceQuotas: 'reset',
    });

    const { status, stdout } = await preflight(
      ['--env', 'prod', '--region', 'eu-central-1', '--fix'],
      { AWS_REGION: 'us-west-2' },
    );

    expect(status).toBe(1);
    expect(made).toBe(true);
    expect(stdout).toMatch(/^Environment prod in eu-central-1\n/);
    expect(lineOf(stdout, 'Region')).toMatch(/^warning .*ask us-west-2 \(AWS_REGION\), cdk among/);
    expect(lineOf(stdout, 'Lambda concurrency')).toMatch(/^FAILED .* 110 too many\.$/);
    expect(lineOf(stdout, 'Lake Formation')).toMatch(
      /^not checked .*The permission lakeformation:GetDataLakeSettings is missing\.$/,
    );
    expect(lineOf(stdout, 'Athena queries')).toMatch(/^not checked .*ECONNRESET.* Run it again\.$/);
    expect(stdout).toMatch(/ok +Glue database "default" +It was created\.\n/);
    expect(stdout).toContain(`> npx cdk bootstrap aws://${ACCOUNT}/eu-central-1\n`);
    expect(stdout).toMatch(
      /\n2 failed, 2 warnings, 3 not checked\. Mend what failed before you deploy\.\n$/,
    );
  });

  test('refuses a command line that it does not know with a sentence', async () => {
    await start();

    const { status, stdout, stderr } = await preflight(['--enviroment', 'prod']);

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--enviroment'[\s\S]*\nUsage: npm run preflight .*\n$/);
  });

  test('does not print what a service says of credentials', async () => {
    await start({ GetCallerIdentity: new Refusal('ExpiredToken', SECRET, 403) });

    const { status, stdout, stderr } = await preflight(['--env', 'prod']);

    expect(status).toBe(1);
    expect(lineOf(stdout, 'Credentials')).toMatch(/The credentials have expired/);
    expect(stdout + stderr).not.toContain(SECRET);
  });
});
