import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { Settings } from './settings.ts';

/** A checked environment with its defaults filled in. */
export interface Config extends z.output<typeof Settings> {
  /** `dev`, `prod` ...: part of every name and tag. */
  readonly environment: string;
}

/** Configuration that cannot be deployed. The message is meant for the person at the terminal. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const FOLDER = fileURLToPath(new URL('../config/', import.meta.url));

/** Names of all environments: one file each. */
export function environments(folder = FOLDER): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'))
    .sort();
}

/**
 * The configuration of an environment. Only its own file is run, so that a fault in another
 * environment's stops no deployment of this one.
 *
 * @param environment value of `-c env=...`; undefined means `dev`
 * @throws ConfigError when the environment does not exist or one of its settings is not valid
 */
export function loadConfig(environment: unknown = 'dev', folder = FOLDER): Config {
  const known = environments(folder);
  if (typeof environment !== 'string' || !known.includes(environment)) {
    throw new ConfigError(
      `There is no environment "${environment}". Choose one of ${known.join(', ')} with -c env=<name>, or add config/${environment}.ts.`,
    );
  }
  return checkConfig(environment, settingsIn(join(folder, `${environment}.ts`), environment));
}

function settingsIn(file: string, environment: string): unknown {
  let module: { default?: unknown };
  try {
    // Not import(): stacks, tests and tools want their configuration without waiting.
    module = createRequire(import.meta.url)(file);
  } catch (error) {
    throw new ConfigError(
      `config/${environment}.ts cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (module.default === undefined) {
    throw new ConfigError(
      `config/${environment}.ts has no default export. Begin it like config/dev.ts: export default { firstDay: ... }.`,
    );
  }
  return module.default;
}

/**
 * Checks settings and fills in the defaults.
 *
 * @throws ConfigError naming every setting that is not valid
 */
export function checkConfig(environment: string, settings: unknown): Config {
  if (!/^[a-z][a-z0-9]{0,15}$/.test(environment)) {
    throw new ConfigError(
      `The environment name "${environment}" becomes part of resource names: use 1 to 16 lower-case letters and digits, a letter first.`,
    );
  }
  const parsed = Settings.safeParse(settings);
  if (!parsed.success) {
    throw new ConfigError(
      `config/${environment}.ts is not valid:\n${z.prettifyError(parsed.error)}`,
    );
  }
  return { environment, ...parsed.data };
}
