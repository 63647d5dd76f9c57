/** Synthesizes the stacks of every environment, one after the other; offline. `npm run synth` */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { environments } from '../lib/config.ts';

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');

for (const environment of environments()) {
  console.log(environment);
  // Inherits the terminal, so that a finding is read where CDK prints it; a failure ends the loop.
  execFileSync(process.execPath, [cdk, 'synth', '--quiet', '-c', `env=${environment}`], {
    stdio: 'inherit',
  });
}
