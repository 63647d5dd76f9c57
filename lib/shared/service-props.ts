import type { Config } from '../config.ts';
import type { StorageStack } from '../storage-stack.ts';

/** What the constructs of the service stack have in common. */
export interface ServiceProps {
  /** Start of every name: `sluice-<environment>`. */
  readonly name: string;
  readonly config: Config;
  readonly storage: StorageStack;
}
