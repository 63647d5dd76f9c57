/**
 * Asks an account and Region, before the first deployment and changing nothing, whether an environment can be deployed.
 * `npm run preflight -- --env <name> [--region <region>] [--profile <name>] [--fix]`
 */
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from '../lib/config.ts';
import { REGION } from '../lib/settings.ts';
import { createClients } from './preflight/clients.ts';
import { plannedDeployment } from './preflight/planned-deployment.ts';
import { exitCode, report } from './preflight/report.ts';
import { runChecks } from './preflight/run-checks.ts';
import { terminalRegion } from './shared/region.ts';

const USAGE = 'npm run preflight -- --env <name> [--region <region>] [--profile <name>] [--fix]';

/** An unusual command line. */
class UsageError extends Error {}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { env, fix = false, profile, region: wanted } = readArguments();
  const config = loadConfig(env);
  // For every client, as `cdk --profile` means it; the CDK reads the second name, the SDK does not.
  const used = profile ?? process.env.AWS_PROFILE ?? process.env.AWS_DEFAULT_PROFILE;
  if (used !== undefined) process.env.AWS_PROFILE = used;

  const terminal = await terminalRegion();
  const chosen =
    wanted !== undefined
      ? { region: wanted, from: '--region' }
      : config.region !== undefined
        ? { region: config.region, from: `config/${config.environment}.ts` }
        : terminal;
  const findings = await runChecks({
    config,
    planned: plannedDeployment(config),
    region: chosen.region,
    regionFrom: chosen.from,
    terminal,
    clients: createClients(chosen.region),
    fix,
    today: new Date().toISOString().slice(0, 10),
  });
  process.stdout.write(report(`Environment ${config.environment} in ${chosen.region}`, findings));
  process.exitCode = exitCode(findings);
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        env: { type: 'string' },
        region: { type: 'string' },
        profile: { type: 'string' },
        fix: { type: 'boolean' },
      },
    });
    if (values.region !== undefined && !REGION.test(values.region)) {
      throw new Error(`"${values.region}" is no Region: eu-west-1 is one.`);
    }
    return values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\nUsage: ${USAGE}`);
  }
}
