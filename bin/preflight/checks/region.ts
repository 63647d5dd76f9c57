import type { Check } from '../check.ts';
import { failed, ok, warning } from '../verdict.ts';

/** Whether `cdk` deploys to the Region that is asked, and commands in this terminal ask it too. */
export const region: Check = {
  name: 'Region',
  permissions: [],
  async run({ config, region: asked, regionFrom, terminal }) {
    const file = `config/${config.environment}.ts`;
    if (config.region !== undefined && config.region !== asked) {
      return failed(
        `${asked} was asked, but cdk deploys to ${config.region}, the region of ${file}.`,
        `Leave --region out, or change region in ${file}.`,
      );
    }
    if (regionFrom === undefined) {
      return warning(
        `Nothing names a Region, so that cdk deploys to ${asked}.`,
        `Set region: '${asked}' in ${file}, or export AWS_REGION=...`,
      );
    }
    if (terminal.region !== asked) {
      return warning(
        `${asked} (${regionFrom}), but other commands in this terminal ask ${terminal.region} (${terminal.from ?? 'the default'})${config.region === undefined ? ', cdk among them' : ''}.`,
        `export AWS_REGION=${asked}`,
      );
    }
    return ok(`${asked}, from ${regionFrom}.`);
  },
};
