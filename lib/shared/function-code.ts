import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../../lambdas/shared/environment.ts';
import { bundle, writeBundle } from './bundle.ts';

/**
 * The code of a function, bundled while the stack is synthesised; esbuild runs in this process and
 * needs neither Docker nor a network. The asset's name is a hash of what comes out, so that only
 * functions whose code changed are deployed.
 *
 * @param folder of the project that the code reads at run time, to be put beside it.
 */
export function functionCode(entry: FunctionName, folder?: string): Code {
  return Code.fromAsset(fileURLToPath(new URL('../../lambdas', import.meta.url)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      local: {
        tryBundle(directory) {
          writeBundle(bundle(entry), directory, folder);
          return true;
        },
      },
      // Never run. CDK tells assets apart by their options in JSON, which has no functions in it.
      command: [entry, folder ?? ''],
      image: DockerImage.fromRegistry('none'),
    },
  });
}
