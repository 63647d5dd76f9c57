/**
 * Which Region a command asks: the one that `cdk` would deploy to. The SDK alone does not know
 * `AWS_DEFAULT_REGION`, takes no Region from the profile `default` when another one has none, and stops
 * where the CDK goes on with us-east-1.
 */
import { STSClient } from '@aws-sdk/client-sts';

/** What cdk takes where nothing names a Region. */
const FALLBACK = 'us-east-1';

/** In the CDK's order (`AwsCliCompatible.region`). */
const VARIABLES = [
  'AWS_REGION',
  'AMAZON_REGION',
  'AWS_DEFAULT_REGION',
  'AMAZON_DEFAULT_REGION',
] as const;

export interface ChosenRegion {
  readonly region: string;
  /** Where the Region was found, for people; undefined if nothing names one. */
  readonly from: string | undefined;
}

/**
 * The Region of this terminal: from the environment, else from the profile, else from the profile
 * `default`, else us-east-1.
 *
 * @param environment default: that of this process; the profile is read from its `AWS_PROFILE`
 */
export async function terminalRegion(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ChosenRegion> {
  for (const variable of VARIABLES) {
    const region = environment[variable];
    if (region) return { region, from: variable };
  }
  const profiles = new Set([environment.AWS_PROFILE || 'default', 'default']);
  for (const profile of profiles) {
    const region = await profileRegion(profile);
    if (region) return { region, from: `the profile ${profile}` };
  }
  return { region: FALLBACK, from: undefined };
}

/** The Region in a profile of the shared configuration files; undefined if there is none. */
async function profileRegion(profile: string): Promise<string | undefined> {
  try {
    return await new STSClient({ profile }).config.region();
  } catch {
    // The SDK's way to say that the profile, or its Region, does not exist.
    return undefined;
  }
}
