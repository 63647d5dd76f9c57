import { App } from 'aws-cdk-lib';
import { ConfigError, loadConfig } from '../lib/config.ts';
import { addStacks } from '../lib/sluice-app.ts';

try {
  const app = new App();
  addStacks(app, loadConfig(app.node.tryGetContext('env')));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  // A stack trace would bury the sentence that says what to change.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
